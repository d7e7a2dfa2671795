//! The program as text, for people and for tests: stable, one instruction per line.
//!
//! ```text
//! func @f(v0: i32 "x") -> i32 {
//! b0:
//!     v1: i32 = add nsw v0, i32 1          ; a.c:3:10
//!     br b1 [v2: i32 = v1]
//! ```
//! A register shows its type where it is written, a constant everywhere.

use std::fmt::{self, Display, Formatter, Write};

use crate::function::*;
use crate::inst::*;
use crate::program::*;
use crate::types::TypeId;

impl Display for Ty {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(w) => write!(f, "i{w}"),
            Ty::Float(ty) => write!(f, "{ty}"),
            Ty::Ptr => f.write_str("ptr"),
        }
    }
}

impl Display for FloatTy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.bits())
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let order = if self.layout.big_endian { "big" } else { "little" };
        writeln!(f, "target \"{}\" {} bits {order}", self.layout.triple, self.layout.pointer_bits)?;
        write!(f, "{}", self.types)?;
        for (list, what) in [(&self.constructors, "constructor"), (&self.destructors, "destructor")] {
            for &id in list {
                writeln!(f, "{what} {}", Names(Some(self), false).function(id))?;
            }
        }
        for global in self.globals.values() {
            write_global(f, self, global)?;
        }
        for function in self.functions.values() {
            writeln!(f)?;
            Text { program: Some(self), function, bare: false }.write(f)?;
        }
        Ok(())
    }
}

/// Without the program, functions and globals show as numbers and places not at all.
impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Text { program: None, function: self, bare: false }.write(f)
    }
}

fn write_global(f: &mut Formatter<'_>, program: &Program, global: &Global) -> fmt::Result {
    let kind = if global.constant { "constant" } else { "global" };
    let Global { name, size, align, element, .. } = global;
    write!(f, "{kind} @{name} size {size} align {align} element {element}{}", typed(global.source))?;
    let Some(init) = &global.init else { return writeln!(f, " external") };
    match init.bytes.iter().rposition(|&b| b != 0) {
        Some(last) => write!(f, " \"{}\"", init.bytes[..=last].escape_ascii())?,
        None => write!(f, " zero")?,
    }
    for Relocation { offset, bytes, value } in &init.relocations {
        write!(f, " [{offset}; {bytes}] = {}", Names(Some(program), false).value(value))?;
    }
    writeln!(f)
}

/// Names of symbols, or their numbers if there is no program; and whether constants are what they hold.
#[derive(Clone, Copy)]
struct Names<'a>(Option<&'a Program>, bool);

impl Names<'_> {
    fn function(self, id: FuncId) -> String {
        match self.0 {
            Some(program) => format!("@{}", program.functions[id].name),
            None => id.to_string(),
        }
    }

    fn symbol(self, symbol: Symbol) -> String {
        match (symbol, self.0) {
            (Symbol::Function(id), _) => self.function(id),
            (Symbol::Block(id, block), _) => format!("{}:{block}", self.function(id)),
            (Symbol::Global(id), Some(program)) if self.1 && program.globals[id].constant => {
                let init = program.globals[id].init.as_ref();
                let bytes = init.map(|init| init.bytes.escape_ascii().to_string()).unwrap_or_default();
                let relocations = init.map(|init| &init.relocations[..]).unwrap_or_default().iter();
                let inner = relocations.map(|r| format!(" [{}; {}] = {}", r.offset, r.bytes, self.value(&r.value)));
                format!("\"{bytes}\"{}", inner.collect::<String>())
            }
            (Symbol::Global(id), Some(program)) if !program.globals[id].name.is_empty() => {
                format!("@{}", program.globals[id].name)
            }
            (Symbol::Global(id), _) => id.to_string(),
        }
    }

    fn value(self, value: &ConstValue) -> String {
        match value {
            ConstValue::Bits(words) => match words.as_ref() {
                [word] => word.to_string(),
                words => words.iter().rev().fold("0x".to_string(), |s, w| format!("{s}{w:016x}")),
            },
            ConstValue::Undef => "undef".to_string(),
            ConstValue::Address(symbol, 0) => self.symbol(*symbol),
            ConstValue::Address(symbol, n) => format!("{}{n:+}", self.symbol(*symbol)),
            ConstValue::Add(a, b) => format!("({} + {})", self.value(a), self.value(b)),
            ConstValue::Sub(a, b) => format!("({} - {})", self.value(a), self.value(b)),
        }
    }
}

/// A function, and the program for the names in it.
struct Text<'a> {
    program: Option<&'a Program>,
    function: &'a Function,
    /// Without places, names of variables and types of the source: what is executed, and nothing else.
    bare: bool,
}

/// What a function does, as text that is the same wherever it stands: constants are what they hold, and the source does not matter.
pub(crate) fn bare_text(program: &Program, function: &Function) -> String {
    struct Bare<'a>(Text<'a>);
    impl Display for Bare<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            self.0.write(f)
        }
    }
    Bare(Text { program: Some(program), function, bare: true }).to_string()
}

impl Text<'_> {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let function = self.function;
        let mut params: Vec<String> = function.params.iter().map(|p| self.param(p)).collect();
        params.extend(function.variadic.then(|| "...".to_string()));
        let returns: Vec<String> = function.returns.iter().map(Ty::to_string).collect();
        let kind = if function.is_defined() { "func" } else { "declare" };
        write!(f, "{kind} @{}({})", function.name, params.join(", "))?;
        if !returns.is_empty() {
            write!(f, " -> {}", returns.join(", "))?;
        }
        for (said, word) in [(function.noreturn, "noreturn"), (function.origin != Origin::User, "library")] {
            if said {
                write!(f, " {word}")?;
            }
        }
        write!(f, "{}", self.typed(function.source))?;
        if !function.is_defined() {
            return writeln!(f);
        }
        writeln!(f, " {{")?;
        for (id, block) in &function.blocks {
            writeln!(f, "{id}:")?;
            for i in block.start..block.end {
                self.line(f, i as usize)?;
            }
        }
        writeln!(f, "}}")
    }

    fn param(&self, param: &Param) -> String {
        let mut text = format!("{}: {}", param.reg, param.ty);
        if !param.name.is_empty() && !self.bare {
            let _ = write!(text, " {:?}", param.name);
        }
        text.push_str(&self.typed(param.source));
        if let Some(ByVal { size, align }) = param.byval {
            let _ = write!(text, " byval({size}, {align})");
        }
        if let Some((_, word)) = Passing::WORDS.iter().find(|(passing, _)| *passing == param.passing) {
            let _ = write!(text, " {word}");
        }
        if param.read_only {
            text.push_str(" const");
        }
        if param.at_least > 0 {
            let _ = write!(text, " atleast {}", param.at_least);
        }
        text
    }

    fn line(&self, f: &mut Formatter<'_>, i: usize) -> fmt::Result {
        let text = self.inst(&self.function.code[i]);
        match self.place(self.function.locs[i]) {
            Some(place) => writeln!(f, "    {text:<40} ; {place}"),
            None => writeln!(f, "    {text}"),
        }
    }

    fn place(&self, loc: Option<LocId>) -> Option<String> {
        let program = self.program.filter(|_| !self.bare)?;
        let Loc { file, line, column, function, inlined_at } = &program.locs[loc?];
        let path = &program.files[*file].path;
        let name = path.rsplit('/').next().unwrap_or(path);
        let outer = match self.place(*inlined_at) {
            Some(outer) => format!(" in {function} at {outer}"),
            None => String::new(),
        };
        Some(format!("{name}:{line}:{column}{outer}"))
    }

    /// The type of the source, if it is known and wanted.
    fn typed(&self, source: Option<TypeId>) -> String {
        typed(source.filter(|_| !self.bare))
    }

    /// An operand that is read.
    fn o(&self, operand: Operand) -> String {
        match operand.as_const() {
            None => format!("{operand:?}"),
            Some(c) => {
                let ConstData { ty, value } = &self.function.consts[c];
                format!("{ty} {}", Names(self.program, self.bare).value(value))
            }
        }
    }

    fn list(&self, operands: &[Operand]) -> String {
        operands.iter().map(|&o| self.o(o)).collect::<Vec<_>>().join(", ")
    }

    /// A register that is written.
    fn d(&self, reg: Reg) -> String {
        let RegData { ty, name, source } = &self.function.regs[reg];
        let name = if name.is_empty() || self.bare { String::new() } else { format!(" {name:?}") };
        format!("{reg}: {ty}{name}{}", self.typed(*source))
    }

    fn edge(&self, edge: EdgeId) -> String {
        let Edge { to, moves } = &self.function.edges[edge];
        let moves: Vec<String> = moves.iter().map(|&(dst, src)| format!("{} = {}", self.d(dst), self.o(src))).collect();
        if moves.is_empty() { to.to_string() } else { format!("{to} [{}]", moves.join(", ")) }
    }

    /// `dst: ty = what operands`.
    fn def(&self, dst: Reg, what: impl Display, operands: &[Operand]) -> String {
        format!("{} = {what} {}", self.d(dst), self.list(operands)).trim_end().to_string()
    }

    /// `dst: ty, dst+1: i1 = what operands`.
    fn pair(&self, dst: Reg, what: impl Display, operands: &[Operand]) -> String {
        let flag = Reg::from_u32(dst.as_u32() + 1);
        format!("{}, {} = {what} {}", self.d(dst), self.d(flag), self.list(operands))
    }

    fn inst(&self, inst: &Inst) -> String {
        match *inst {
            Inst::Copy { dst, src } => self.def(dst, "copy", &[src]),
            Inst::Undef { dst } => self.def(dst, "undef", &[]),
            Inst::Bin { op, flags, dst, a, b, .. } => {
                self.def(dst, format!("{}{}", low(op), flag_text(flags)), &[a, b])
            }
            Inst::Overflow { op, dst, a, b, .. } => self.pair(dst, format!("{}.overflow", low(op)), &[a, b]),
            Inst::Bit { op, dst, a, .. } => self.def(dst, low(op), &[a]),
            Inst::Funnel { left, dst, a, b, c, .. } => self.def(dst, if left { "fshl" } else { "fshr" }, &[a, b, c]),
            Inst::Cmp { op, width, dst, a, b } => self.def(dst, format!("cmp {} i{width}", low(op)), &[a, b]),
            Inst::Select { dst, cond, a, b, .. } => self.def(dst, "select", &[cond, a, b]),
            Inst::Cast { op, from, dst, src, .. } => self.def(dst, format!("{} i{from}", low(op)), &[src]),
            Inst::FloatUn { op, dst, a, .. } => self.def(dst, format!("f{}", low(op)), &[a]),
            Inst::FloatBin { op, dst, a, b, .. } => self.def(dst, format!("f{}", low(op)), &[a, b]),
            Inst::Fma { dst, a, b, c, .. } => self.def(dst, "fma", &[a, b, c]),
            Inst::FloatCmp { op, ty, dst, a, b } => self.def(dst, format!("fcmp {} {ty}", low(op)), &[a, b]),
            Inst::FloatToFloat { from, dst, src, .. } => self.def(dst, format!("fconvert {from}"), &[src]),
            Inst::FloatToInt { from, signed, beyond, dst, src, .. } => {
                self.def(dst, format!("{}.{} {from}", sign(signed, "ftos", "ftou"), low(beyond)), &[src])
            }
            Inst::IntToFloat { from, signed, dst, src, .. } => {
                self.def(dst, format!("{} i{from}", sign(signed, "stof", "utof")), &[src])
            }
            Inst::FloatClass { mask, ty, dst, a } => self.def(dst, format!("fclass {mask:#x} {ty}"), &[a]),
            Inst::Alloca { alloca } => self.alloca(&self.function.allocas[alloca]),
            Inst::Load { dst, ptr, width } => self.def(dst, format!("load i{width}"), &[ptr]),
            Inst::Store { ptr, value, width } => format!("store i{width} {}", self.list(&[ptr, value])),
            Inst::PtrAdd { dst, base, disp } => format!("{} = ptradd {}, {disp}", self.d(dst), self.o(base)),
            Inst::PtrIndex { dst, base, index, width, scale } => {
                format!("{} = ptrindex {}, {scale} * i{width} {}", self.d(dst), self.o(base), self.o(index))
            }
            Inst::MemCopy { dst, src, len, .. } => format!("memcopy {}", self.list(&[dst, src, len])),
            Inst::MemSet { dst, byte, len, .. } => format!("memset {}", self.list(&[dst, byte, len])),
            Inst::LifetimeStart { ptr } => format!("lifetime.start {}", self.o(ptr)),
            Inst::LifetimeEnd { ptr } => format!("lifetime.end {}", self.o(ptr)),
            Inst::ObjectSize { dst, ptr, min, .. } => {
                self.def(dst, format!("objectsize{}", sign(min, ".min", "")), &[ptr])
            }
            Inst::StackSave { dst } => self.def(dst, "stacksave", &[]),
            Inst::StackRestore { mark } => format!("stackrestore {}", self.o(mark)),
            Inst::CmpXchg { dst, ptr, expected, new, .. } => self.pair(dst, "cmpxchg", &[ptr, expected, new]),
            Inst::AtomicRmw { op, dst, ptr, value, .. } => self.def(dst, format!("rmw {}", rmw(op)), &[ptr, value]),
            Inst::VaStart { list } => format!("va_start {}", self.o(list)),
            Inst::VaEnd { list } => format!("va_end {}", self.o(list)),
            Inst::VaCopy { dst, src } => format!("va_copy {}", self.list(&[dst, src])),
            Inst::VaArg { dst, list, .. } => self.def(dst, "va_arg", &[list]),
            Inst::Require { cond, what } => format!("require {} {}", low(what), self.o(cond)),
            Inst::Condition { cond, value, then, otherwise } => {
                let word = if value { "outcome" } else { "condition" };
                format!("{word} {}, {}, {}", self.o(cond), self.edge(then), self.edge(otherwise))
            }
            Inst::Trap => "trap".to_string(),
            Inst::Unsupported { what } => format!("unsupported {:?}", self.function.unsupported[what]),
            Inst::FrameAddress { dst } => self.def(dst, "frameaddress", &[]),
            Inst::ReturnAddress { dst, depth } => format!("{} {depth}", self.def(dst, "returnaddress", &[])),
            Inst::Call { call } => self.call(&self.function.calls[call]),
            Inst::Br { edge } => format!("br {}", self.edge(edge)),
            Inst::CondBr { cond, then, otherwise } => {
                format!("br {}, {}, {}", self.o(cond), self.edge(then), self.edge(otherwise))
            }
            Inst::Switch { switch } => self.switch(&self.function.switches[switch]),
            Inst::IndirectBr { addr, edges } => {
                let to: Vec<String> = self.function.edge_lists[edges].iter().map(|&e| self.edge(e)).collect();
                format!("indirectbr {}, {}", self.o(addr), to.join(", "))
            }
            Inst::Ret { values } => format!("ret {}", self.list(&self.function.lists[values])).trim_end().to_string(),
            Inst::Unreachable => "unreachable".to_string(),
        }
    }

    fn alloca(&self, alloca: &Alloca) -> String {
        let Alloca { dst, size, count, align, element, name, source, .. } = alloca;
        let text = format!("{} = alloca {size} * {} align {align} element {element}", self.d(*dst), self.o(*count));
        let name = if name.is_empty() || self.bare { String::new() } else { format!(" {name:?}") };
        format!("{text}{name}{}", self.typed(*source))
    }

    fn call(&self, call: &Call) -> String {
        let dsts: Vec<String> = call.dsts.iter().map(|&dst| self.d(dst)).collect();
        let callee = match call.callee {
            Callee::Direct(id) => Names(self.program, self.bare).function(id),
            Callee::Indirect(operand) => format!("*{}", self.o(operand)),
        };
        let args: Vec<String> = call.args.iter().map(|arg| self.arg(arg)).collect();
        let returns: Vec<String> = call.returns.iter().map(Ty::to_string).collect();
        let dsts = if dsts.is_empty() { String::new() } else { format!("{} = ", dsts.join(", ")) };
        let returns = if returns.is_empty() { String::new() } else { format!(" -> {}", returns.join(", ")) };
        format!("{dsts}call {callee}({}){returns}", args.join(", "))
    }

    fn arg(&self, arg: &CallArg) -> String {
        match arg.byval {
            Some(ByVal { size, align }) => format!("{} byval({size}, {align})", self.o(arg.value)),
            None => self.o(arg.value),
        }
    }

    fn switch(&self, switch: &Switch) -> String {
        let cases: Vec<String> = switch.cases.iter().map(|&(n, edge)| format!("{n}: {}", self.edge(edge))).collect();
        let Switch { value, width, default, .. } = *switch;
        format!("switch i{width} {}, {}, default: {}", self.o(value), cases.join(", "), self.edge(default))
    }
}

/// The type of the source, if it is known.
fn typed(source: Option<TypeId>) -> String {
    source.map_or(String::new(), |id| format!(" {id}"))
}

/// The name of an operation in lower case.
fn low(op: impl fmt::Debug) -> String {
    format!("{op:?}").to_lowercase()
}

fn rmw(op: AtomicOp) -> String {
    match op {
        AtomicOp::Int(op) => low(op),
        AtomicOp::Float(op, _) => format!("f{}", low(op)),
        other => low(other),
    }
}

fn flag_text(flags: IntFlags) -> String {
    format!("{}{}", if flags.nsw { " nsw" } else { "" }, if flags.nuw { " nuw" } else { "" })
}

fn sign(yes: bool, then: &'static str, otherwise: &'static str) -> &'static str {
    if yes { then } else { otherwise }
}
