//! Checks the invariants of a program: every index is in range, widths agree, blocks end in their only terminator.
//!
//! Run after loading in debug builds and by tests; what it accepts, the engine may rely on.

use std::fmt;

use cranelift_entity::{EntityRef, PrimaryMap};

use crate::function::*;
use crate::inst::*;
use crate::program::*;
use crate::verify_types::{check_types, check_use};

/// An invariant that does not hold: where and what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation(pub String);

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Violation {}

/// What a check gives: nothing, or what is wrong.
pub(crate) type Checked = Result<(), String>;

/// Checks everything; the first breach found is given back.
pub fn verify(program: &Program) -> Result<(), Violation> {
    check_tables(program).map_err(Violation)?;
    check_types(program).map_err(Violation)?;
    for (id, global) in &program.globals {
        check_global(program, global).map_err(|what| Violation(format!("global {id} @{}: {what}", global.name)))?;
    }
    for (id, function) in &program.functions {
        FunctionCheck { program, f: function }
            .function()
            .map_err(|what| Violation(format!("function {id} @{}: {what}", function.name)))?;
    }
    Ok(())
}

fn check_tables(program: &Program) -> Checked {
    for (id, loc) in &program.locs {
        in_range(&program.files, loc.file, "file")?;
        // A place is made after the one it was inlined at: no cycles.
        ensure(loc.inlined_at.is_none_or(|outer| outer < id), || format!("{id} is inlined at a later place"))?;
    }
    for &id in program.constructors.iter().chain(&program.destructors).chain(program.names.values()) {
        in_range(&program.functions, id, "function")?;
    }
    for &id in program.global_names.values() {
        in_range(&program.globals, id, "global")?;
    }
    ensure(matches!(program.layout.pointer_bits, 32 | 64), || "pointers have neither 32 nor 64 bits".into())
}

pub(crate) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(what()) }
}

pub(crate) fn in_range<K: EntityRef, V>(map: &PrimaryMap<K, V>, key: K, what: &str) -> Checked {
    ensure(map.is_valid(key), || format!("{what} number {} does not exist", key.index()))
}

fn check_global(program: &Program, global: &Global) -> Checked {
    check_use(program, global.source)?;
    ensure(global.align.is_power_of_two(), || "its alignment is no power of two".into())?;
    ensure(global.element.is_power_of_two(), || "its element size is no power of two".into())?;
    let Some(init) = &global.init else { return Ok(()) };
    ensure(init.bytes.len() as u64 == global.size, || "its content is not as long as it is".into())?;
    for relocation in &init.relocations {
        let end = relocation.offset + u64::from(relocation.bytes);
        ensure(end <= global.size, || "a relocation lies outside".into())?;
        check_value(program, &relocation.value, relocation.bytes * 8)?;
    }
    Ok(())
}

fn check_value(program: &Program, value: &ConstValue, width: u32) -> Checked {
    match value {
        ConstValue::Bits(words) => {
            ensure(words.len() == width.div_ceil(64) as usize, || {
                format!("a constant of i{width} has {} words", words.len())
            })?;
            let spare = words.len() as u32 * 64 - width;
            ensure(words.last().is_none_or(|w| spare == 0 || w >> (64 - spare) == 0), || {
                format!("a constant is wider than i{width}")
            })
        }
        ConstValue::Undef => Ok(()),
        ConstValue::Address(Symbol::Global(id), _) => in_range(&program.globals, *id, "global"),
        ConstValue::Address(Symbol::Function(id), _) => in_range(&program.functions, *id, "function"),
        ConstValue::Address(Symbol::Block(id, block), _) => {
            in_range(&program.functions, *id, "function")?;
            in_range(&program.functions[*id].blocks, *block, "block")
        }
        ConstValue::Add(a, b) | ConstValue::Sub(a, b) => {
            check_value(program, a, width)?;
            check_value(program, b, width)
        }
    }
}

/// A function and the program it is in.
struct FunctionCheck<'a> {
    program: &'a Program,
    f: &'a Function,
}

impl FunctionCheck<'_> {
    fn function(&self) -> Checked {
        let f = self.f;
        check_use(self.program, f.source)?;
        for source in f.regs.values().map(|reg| reg.source).chain(f.allocas.values().map(|alloca| alloca.source)) {
            check_use(self.program, source)?;
        }
        for param in &f.params {
            check_use(self.program, param.source)?;
            in_range(&f.regs, param.reg, "register")?;
            ensure(f.regs[param.reg].ty == param.ty, || format!("{} is not of its parameter's type", param.reg))?;
        }
        for constant in f.consts.values() {
            check_value(self.program, &constant.value, constant.ty.bits(&self.program.layout))?;
        }
        ensure(f.code.len() == f.locs.len(), || "instructions and places differ in number".into())?;
        for &loc in f.locs.iter().flatten().chain(&f.loc) {
            in_range(&self.program.locs, loc, "place")?;
        }
        self.blocks()?;
        for (id, edge) in &f.edges {
            self.edge(edge).map_err(|what| format!("{id}: {what}"))?;
        }
        for (i, inst) in f.code.iter().enumerate() {
            self.uses_exist(inst)
                .and_then(|()| self.inst(inst))
                .map_err(|what| format!("instruction {i} ({inst:?}): {what}"))?;
        }
        Ok(())
    }

    /// Blocks cover the code, each instruction once.
    fn blocks(&self) -> Checked {
        let mut ranges: Vec<(u32, u32)> = self.f.blocks.values().map(|b| (b.start, b.end)).collect();
        ranges.sort_unstable();
        let mut next = 0;
        for (start, end) in ranges {
            ensure(start == next && start < end, || format!("the block at {start} is empty or overlaps another"))?;
            ensure(end as usize <= self.f.code.len(), || format!("the block at {start} ends outside the code"))?;
            for i in start..end {
                let terminates = self.f.code[i as usize].is_terminator();
                ensure(terminates == (i + 1 == end), || format!("instruction {i} ends or does not end its block"))?;
            }
            next = end;
        }
        ensure(next as usize == self.f.code.len(), || "code outside of blocks".into())
    }

    fn edge(&self, edge: &Edge) -> Checked {
        in_range(&self.f.blocks, edge.to, "block")?;
        for &(dst, src) in &edge.moves {
            in_range(&self.f.regs, dst, "register")?;
            self.exists(src)?;
            ensure(self.f.regs[dst].ty == self.ty(src), || format!("{dst} gets a value of another type"))?;
        }
        Ok(())
    }

    fn exists(&self, operand: Operand) -> Checked {
        match (operand.as_reg(), operand.as_const()) {
            (Some(reg), _) => in_range(&self.f.regs, reg, "register"),
            (_, Some(constant)) => in_range(&self.f.consts, constant, "constant"),
            _ => Ok(()),
        }
    }

    fn uses_exist(&self, inst: &Inst) -> Checked {
        match *inst {
            Inst::Alloca { alloca } => in_range(&self.f.allocas, alloca, "alloca")?,
            Inst::Call { call } => in_range(&self.f.calls, call, "call")?,
            Inst::Switch { switch } => in_range(&self.f.switches, switch, "switch")?,
            Inst::Ret { values } => in_range(&self.f.lists, values, "list")?,
            Inst::IndirectBr { edges, .. } => in_range(&self.f.edge_lists, edges, "edge list")?,
            Inst::Unsupported { what } => in_range(&self.f.unsupported, what, "text")?,
            _ => {}
        }
        let mut all = Ok(());
        inst.for_each_use(self.f, |operand| all = std::mem::replace(&mut all, Ok(())).and(self.exists(operand)));
        all?;
        inst.dst(self.f).map_or(Ok(()), |dst| in_range(&self.f.regs, dst, "register"))
    }

    fn ty(&self, operand: Operand) -> Ty {
        match (operand.as_reg(), operand.as_const()) {
            (Some(reg), _) => self.f.regs[reg].ty,
            (_, Some(constant)) => self.f.consts[constant].ty,
            _ => Ty::Int(0),
        }
    }

    fn bits(&self, operand: Operand) -> u32 {
        self.ty(operand).bits(&self.program.layout)
    }

    /// All operands are so many bits wide.
    fn wide(&self, width: u32, operands: &[Operand]) -> Checked {
        for &o in operands {
            ensure(self.bits(o) == width, || format!("{o:?} has {} bits instead of {width}", self.bits(o)))?;
        }
        Ok(())
    }

    /// All operands are integers of this width.
    fn ints(&self, width: u32, operands: &[Operand]) -> Checked {
        for &o in operands {
            ensure(!matches!(self.ty(o), Ty::Float(_)), || format!("{o:?} is a float"))?;
        }
        self.wide(width, operands)
    }

    fn floats(&self, ty: FloatTy, operands: &[Operand]) -> Checked {
        for &o in operands {
            ensure(self.ty(o) == Ty::Float(ty), || format!("{o:?} is a {} instead of a {ty}", self.ty(o)))?;
        }
        Ok(())
    }

    fn pointers(&self, operands: &[Operand]) -> Checked {
        self.ints(self.program.layout.pointer_bits, operands)
    }

    /// The flag that `Overflow` and `CmpXchg` write after their result.
    fn flag(&self, dst: Reg) -> Checked {
        let flag = Reg::from_u32(dst.as_u32() + 1);
        in_range(&self.f.regs, flag, "register")?;
        self.ints(1, &[Operand::reg(flag)])
    }

    fn inst(&self, inst: &Inst) -> Checked {
        let r = Operand::reg;
        match *inst {
            Inst::Copy { dst, src } => self.wide(self.bits(r(dst)), &[src]),
            Inst::Bin { width, dst, a, b, .. } => self.ints(width, &[r(dst), a, b]),
            Inst::Overflow { width, dst, a, b, .. } => self.ints(width, &[r(dst), a, b]).and_then(|()| self.flag(dst)),
            Inst::Bit { width, dst, a, .. } => self.ints(width, &[r(dst), a]),
            Inst::Funnel { width, dst, a, b, c, .. } => self.ints(width, &[r(dst), a, b, c]),
            Inst::Cmp { width, dst, a, b, .. } => self.ints(1, &[r(dst)]).and_then(|()| self.ints(width, &[a, b])),
            Inst::Select { dst, cond, a, b, width } => {
                self.ints(1, &[cond]).and_then(|()| self.wide(width, &[r(dst), a, b]))
            }
            Inst::Cast { op, from, to, dst, src } => self.cast(op, from, to, dst, src),
            Inst::FloatUn { ty, dst, a, .. } => self.floats(ty, &[r(dst), a]),
            Inst::FloatBin { ty, dst, a, b, .. } => self.floats(ty, &[r(dst), a, b]),
            Inst::Fma { ty, dst, a, b, c } => self.floats(ty, &[r(dst), a, b, c]),
            Inst::FloatCmp { ty, dst, a, b, .. } => self.ints(1, &[r(dst)]).and_then(|()| self.floats(ty, &[a, b])),
            Inst::FloatToFloat { from, to, dst, src } => {
                self.floats(from, &[src]).and_then(|()| self.floats(to, &[r(dst)]))
            }
            Inst::FloatToInt { from, to, dst, src, .. } => {
                self.floats(from, &[src]).and_then(|()| self.ints(to, &[r(dst)]))
            }
            Inst::IntToFloat { from, to, dst, src, .. } => {
                self.ints(from, &[src]).and_then(|()| self.floats(to, &[r(dst)]))
            }
            Inst::FloatClass { ty, dst, a, .. } => self.ints(1, &[r(dst)]).and_then(|()| self.floats(ty, &[a])),
            Inst::Alloca { alloca } => self.alloca(&self.f.allocas[alloca]),
            Inst::Load { dst, ptr, width } => self.pointers(&[ptr]).and_then(|()| self.wide(width, &[r(dst)])),
            Inst::Store { ptr, value, width } => self.pointers(&[ptr]).and_then(|()| self.wide(width, &[value])),
            Inst::PtrAdd { dst, base, .. } => self.pointers(&[r(dst), base]),
            Inst::PtrIndex { dst, base, index, width, .. } => self.index(dst, base, index, width),
            Inst::MemCopy { dst, src, len, width } => {
                self.pointers(&[dst, src]).and_then(|()| self.ints(width, &[len]))
            }
            Inst::MemSet { dst, byte, len, width } => {
                self.pointers(&[dst]).and_then(|()| self.ints(8, &[byte])).and_then(|()| self.ints(width, &[len]))
            }
            Inst::LifetimeStart { ptr } | Inst::LifetimeEnd { ptr } => self.pointers(&[ptr]),
            Inst::ObjectSize { dst, ptr, width, .. } => {
                self.pointers(&[ptr]).and_then(|()| self.ints(width, &[r(dst)]))
            }
            Inst::StackSave { dst } | Inst::FrameAddress { dst } | Inst::ReturnAddress { dst, .. } => {
                self.pointers(&[r(dst)])
            }
            Inst::StackRestore { mark } => self.pointers(&[mark]),
            Inst::CmpXchg { dst, ptr, expected, new, width } => self
                .pointers(&[ptr])
                .and_then(|()| self.wide(width, &[r(dst), expected, new]))
                .and_then(|()| self.flag(dst)),
            Inst::AtomicRmw { dst, ptr, value, width, .. } => {
                self.pointers(&[ptr]).and_then(|()| self.wide(width, &[r(dst), value]))
            }
            Inst::VaStart { list } | Inst::VaEnd { list } => self.pointers(&[list]),
            Inst::VaCopy { dst, src } => self.pointers(&[dst, src]),
            Inst::VaArg { dst, list, ty } => {
                self.pointers(&[list]).and_then(|()| self.wide(ty.bits(&self.program.layout), &[r(dst)]))
            }
            Inst::Require { cond, .. } => self.ints(1, &[cond]),
            Inst::Call { call } => self.call(&self.f.calls[call]),
            Inst::Br { edge } => in_range(&self.f.edges, edge, "edge"),
            Inst::CondBr { cond, then, otherwise } | Inst::Condition { cond, then, otherwise, .. } => self
                .ints(1, &[cond])
                .and_then(|()| in_range(&self.f.edges, then, "edge"))
                .and_then(|()| in_range(&self.f.edges, otherwise, "edge")),
            Inst::Switch { switch } => self.switch(&self.f.switches[switch]),
            Inst::IndirectBr { addr, edges } => {
                self.pointers(&[addr])?;
                self.f.edge_lists[edges].iter().try_for_each(|&e| in_range(&self.f.edges, e, "edge"))
            }
            Inst::Ret { values } => self.ret(&self.f.lists[values]),
            Inst::Undef { .. } | Inst::Trap | Inst::Unsupported { .. } | Inst::Unreachable => Ok(()),
        }
    }

    fn cast(&self, op: CastOp, from: u32, to: u32, dst: Reg, src: Operand) -> Checked {
        let narrows = op == CastOp::Trunc;
        ensure(if narrows { from > to } else { from < to }, || format!("{op:?} from i{from} to i{to}"))?;
        self.ints(from, &[src])?;
        self.ints(to, &[Operand::reg(dst)])
    }

    fn index(&self, dst: Reg, base: Operand, index: Operand, width: u32) -> Checked {
        ensure(width <= self.program.layout.pointer_bits, || "the index is wider than a pointer".into())?;
        self.pointers(&[Operand::reg(dst), base])?;
        self.ints(width, &[index])
    }

    fn alloca(&self, alloca: &Alloca) -> Checked {
        ensure(alloca.align.is_power_of_two(), || "its alignment is no power of two".into())?;
        ensure(alloca.element.is_power_of_two(), || "its element size is no power of two".into())?;
        self.pointers(&[Operand::reg(alloca.dst)])?;
        self.ints(alloca.count_width, &[alloca.count])
    }

    fn call(&self, call: &Call) -> Checked {
        match call.callee {
            Callee::Direct(id) => in_range(&self.program.functions, id, "function")?,
            Callee::Indirect(callee) => self.pointers(&[callee])?,
        }
        for arg in &call.args {
            ensure(self.ty(arg.value) == arg.ty, || format!("the argument {:?} is not a {}", arg.value, arg.ty))?;
        }
        if call.dsts.is_empty() {
            return Ok(());
        }
        ensure(call.dsts.len() == call.returns.len(), || "results and registers for them differ in number".into())?;
        for (&dst, &ty) in call.dsts.iter().zip(&call.returns) {
            in_range(&self.f.regs, dst, "register")?;
            ensure(self.f.regs[dst].ty == ty, || format!("{dst} gets a result of another type"))?;
        }
        Ok(())
    }

    fn switch(&self, switch: &Switch) -> Checked {
        ensure(switch.width <= 64, || "a switch over more than 64 bits".into())?;
        self.ints(switch.width, &[switch.value])?;
        in_range(&self.f.edges, switch.default, "edge")?;
        let mut values: Vec<u64> = switch.cases.iter().map(|&(value, _)| value).collect();
        values.sort_unstable();
        values.dedup();
        ensure(values.len() == switch.cases.len(), || "a switch has a case twice".into())?;
        ensure(values.last().is_none_or(|&v| switch.width == 64 || v >> switch.width == 0), || {
            "a case is too wide".into()
        })?;
        switch.cases.iter().try_for_each(|&(_, edge)| in_range(&self.f.edges, edge, "edge"))
    }

    fn ret(&self, values: &[Operand]) -> Checked {
        ensure(values.len() == self.f.returns.len(), || "it returns another number of values than it says".into())?;
        for (&value, &ty) in values.iter().zip(&self.f.returns) {
            ensure(self.ty(value) == ty, || format!("{value:?} is returned as {ty}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Type;

    /// `f(v0: i32) { return v0 + 1 }`.
    fn program() -> Program {
        let mut program = Program::default();
        let int = program.types.all.push(Type::Integer { name: "int".into(), signed: true, bits: 32 });
        let mut f = Function { name: "f".into(), returns: vec![Ty::Int(32)], ..Function::default() };
        let a = f.regs.push(RegData { ty: Ty::Int(32), name: "x".into(), source: None });
        let dst = f.regs.push(RegData { ty: Ty::Int(32), name: String::new(), source: None });
        f.params.push(Param {
            reg: a,
            ty: Ty::Int(32),
            name: "x".into(),
            source: Some(int),
            byval: None,
            passing: Passing::Plain,
            read_only: false,
            at_least: 0,
        });
        let one = f.consts.push(ConstData { ty: Ty::Int(32), value: ConstValue::Bits([1].into()) });
        let values = f.lists.push(vec![Operand::reg(dst)]);
        let (a, b) = (Operand::reg(a), Operand::constant(one));
        f.code =
            vec![Inst::Bin { op: IntOp::Add, flags: IntFlags::default(), width: 32, dst, a, b }, Inst::Ret { values }];
        f.locs = vec![None; 2];
        f.blocks.push(Block { start: 0, end: 2 });
        program.layout.pointer_bits = 64;
        program.functions.push(f);
        program
    }

    fn broken(change: impl FnOnce(&mut Function)) -> String {
        let mut program = program();
        change(&mut program.functions[FuncId::from_u32(0)]);
        verify(&program).expect_err("the change breaks it").to_string()
    }

    #[test]
    fn a_right_program_is_accepted_and_printed() {
        let program = program();
        assert_eq!(verify(&program), Ok(()));
        let expected = "func @f(v0: i32 \"x\" type0) -> i32 {\nb0:\n    v1: i32 = add v0, i32 1\n    ret v1\n}\n";
        assert!(program.to_string().ends_with(expected), "{program}");
    }

    #[test]
    fn widths_must_agree() {
        let said = broken(|f| f.regs[Reg::from_u32(1)].ty = Ty::Int(64));
        assert!(said.contains("v1 has 64 bits instead of 32"), "{said}");
        let said = broken(|f| f.consts[ConstId::from_u32(0)].value = ConstValue::Bits([1 << 32].into()));
        assert!(said.contains("a constant is wider than i32"), "{said}");
        let said = broken(|f| f.regs[Reg::from_u32(0)].ty = Ty::Float(FloatTy::F32));
        assert!(said.contains("not of its parameter's type"), "{said}");
    }

    #[test]
    fn numbers_must_exist() {
        let said = broken(|f| f.lists[ListId::from_u32(0)] = vec![Operand::reg(Reg::from_u32(9))]);
        assert!(said.contains("register number 9 does not exist"), "{said}");
        let said = broken(|f| f.locs[0] = Some(LocId::from_u32(4)));
        assert!(said.contains("place number 4 does not exist"), "{said}");
    }

    #[test]
    fn blocks_end_in_their_only_terminator() {
        assert!(broken(|f| f.code[1] = Inst::Trap).contains("instruction 1 ends or does not end its block"));
        assert!(broken(|f| f.code[0] = Inst::Unreachable).contains("instruction 0 ends or does not end its block"));
        assert!(broken(|f| f.blocks[BlockId::from_u32(0)].start = 1).contains("is empty or overlaps another"));
        assert!(broken(|f| f.blocks.clear()).contains("code outside of blocks"));
    }

    #[test]
    fn results_must_fit_the_signature() {
        assert!(broken(|f| f.returns.clear()).contains("another number of values"));
    }
}
