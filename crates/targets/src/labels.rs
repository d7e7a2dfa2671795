//! The labels of a program, as far as the program text tells: calls of markers with a constant string.

use std::collections::{BTreeMap, BTreeSet};

use taw_ir::{Callee, ConstValue, FuncId, Function, Inst, Operand, Program, Site, Symbol};

/// Marker calls of a program.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    /// By label: its calls.
    pub known: BTreeMap<String, Vec<Site>>,
    /// Calls whose label is known only when they are executed.
    pub computed: Vec<Site>,
}

impl Labels {
    /// Those of calls of `taw_target` and of the functions named.
    pub(crate) fn of(program: &Program, markers: &[String]) -> Self {
        let names = markers.iter().map(String::as_str).chain(["taw_target"]);
        let markers: BTreeSet<FuncId> = names.filter_map(|name| program.function_named(name)).collect();
        let through_pointers = markers.iter().any(|marker| is_address_taken(program, *marker));
        let mut labels = Labels::default();
        for (func, function) in &program.functions {
            for (pc, inst) in (0..).zip(&function.code) {
                let Inst::Call { call } = inst else { continue };
                let call = &function.calls[*call];
                let site = Site { func, pc };
                match call.callee {
                    Callee::Direct(callee) if markers.contains(&callee) => {
                        let mut found = BTreeSet::new();
                        let known =
                            call.args.first().is_some_and(|arg| texts(program, function, arg.value, &mut found));
                        if !known {
                            labels.computed.push(site);
                        }
                        found.into_iter().for_each(|label| labels.known.entry(label).or_default().push(site));
                    }
                    Callee::Indirect(_) if through_pointers => labels.computed.push(site),
                    _ => {}
                }
            }
        }
        labels
    }
}

/// The strings that an operand may point at; says whether these are all. Optimisers merge calls, and choose the argument before.
fn texts(program: &Program, function: &Function, operand: Operand, found: &mut BTreeSet<String>) -> bool {
    let (mut left, mut seen, mut all) = (vec![operand], BTreeSet::new(), true);
    while let Some(operand) = left.pop() {
        let Some(reg) = operand.as_reg() else {
            match text(program, function, operand) {
                Some(label) => drop(found.insert(label)),
                None => all = false,
            }
            continue;
        };
        if !seen.insert(reg) {
            continue;
        }
        let before = left.len();
        let moves = function.edges.values().flat_map(|edge| &edge.moves);
        left.extend(moves.filter(|(dst, _)| *dst == reg).map(|(_, src)| *src));
        for inst in function.code.iter().filter(|inst| inst.dst(function) == Some(reg)) {
            match inst {
                Inst::Select { a, b, .. } => left.extend([*a, *b]),
                Inst::Copy { src, .. } => left.push(*src),
                _ => all = false,
            }
        }
        all &= left.len() > before;
    }
    all
}

/// The string that an operand points at, if both are constant.
fn text(program: &Program, function: &Function, operand: Operand) -> Option<String> {
    let ConstValue::Address(Symbol::Global(global), offset) = function.consts[operand.as_const()?].value else {
        return None;
    };
    let global = &program.globals[global];
    let bytes = global.constant.then_some(global.init.as_ref()?.bytes.get(usize::try_from(offset).ok()?..)?)?;
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// Whether a function may be called through a pointer.
pub(crate) fn is_address_taken(program: &Program, wanted: FuncId) -> bool {
    fn names(value: &ConstValue, wanted: FuncId) -> bool {
        match value {
            ConstValue::Address(Symbol::Function(f), _) => *f == wanted,
            ConstValue::Add(a, b) | ConstValue::Sub(a, b) => names(a, wanted) || names(b, wanted),
            ConstValue::Address(..) | ConstValue::Bits(_) | ConstValue::Undef => false,
        }
    }
    let constants = program.functions.values().flat_map(|f| f.consts.values()).map(|c| &c.value);
    let relocations = program.globals.values().filter_map(|g| g.init.as_ref()).flat_map(|i| &i.relocations);
    constants.chain(relocations.map(|r| &r.value)).any(|value| names(value, wanted))
}
