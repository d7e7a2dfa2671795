//! Bodies of functions in the text form: one instruction per line.

use std::collections::HashMap;

use cranelift_entity::EntityRef;

use super::cursor::{Cursor, Token, numbered, ty};
use super::global::{Symbols, value};
use super::place::ReadPlaces;
use super::{Read, TextError, at};
use crate::beyond::Beyond;
use crate::function::*;
use crate::inst::*;
use crate::program::*;
use crate::requirement::Requirement;
use crate::types::TypeId;

const BIN: &[IntOp] = {
    use IntOp::*;
    &[
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor, UMin, UMax, SMin, SMax, UAddSat, SAddSat,
        USubSat, SSubSat, UShlSat, SShlSat,
    ]
};
const OVERFLOW: &[OverflowOp] = {
    use OverflowOp::*;
    &[UAdd, SAdd, USub, SSub, UMul, SMul]
};
const BIT: &[BitOp] = {
    use BitOp::*;
    &[Ctpop, Ctlz, Cttz, Bswap, BitReverse, Abs]
};
const CMP: &[CmpOp] = {
    use CmpOp::*;
    &[Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge]
};
const CAST: &[CastOp] = &[CastOp::Trunc, CastOp::ZExt, CastOp::SExt];
const FLOAT_UN: &[FloatUnOp] = {
    use FloatUnOp::*;
    &[Neg, Abs, Sqrt, Floor, Ceil, Trunc, RoundEven, RoundAway]
};
const FLOAT_BIN: &[FloatBinOp] = {
    use FloatBinOp::*;
    &[Add, Sub, Mul, Div, Rem, MinNum, MaxNum, Minimum, Maximum, CopySign]
};
const FLOAT_CMP: &[FloatCmpOp] = {
    use FloatCmpOp::*;
    &[False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True]
};

/// The operation whose name in lower case is the word.
fn named<Op: Copy + std::fmt::Debug>(ops: &[Op], word: &str) -> Option<Op> {
    ops.iter().copied().find(|op| format!("{op:?}").to_lowercase() == word)
}

/// Gives a register its type. Registers before it that nobody has written are integers.
pub(super) fn note_register(function: &mut Function, reg: Reg, ty: Ty) {
    while function.regs.len() <= reg.index() {
        function.regs.push(RegData { ty: Ty::Int(64), name: String::new(), source: None });
    }
    function.regs[reg].ty = ty;
}

/// A body in the making.
pub(super) struct Body<'a> {
    function: &'a mut Function,
    layout: &'a Layout,
    symbols: &'a Symbols,
    places: &'a mut ReadPlaces,
    consts: HashMap<ConstData, ConstId>,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        function: &'a mut Function,
        layout: &'a Layout,
        symbols: &'a Symbols,
        places: &'a mut ReadPlaces,
    ) -> Self {
        Body { function, layout, symbols, places, consts: HashMap::new() }
    }

    /// Reads all lines between the braces.
    pub(super) fn read(mut self, lines: &[(usize, &str)]) -> Result<(), TextError> {
        let mut cursors = Vec::with_capacity(lines.len());
        for &(number, line) in lines {
            let cursor = at(number, Cursor::new(line))?;
            self.note_registers(&cursor);
            cursors.push((number, cursor));
        }
        for (number, mut cursor) in cursors {
            at(number, self.line(&mut cursor))?;
        }
        Ok(())
    }

    /// A register's type is where it is written, which may be after where it is read: so first all types.
    fn note_registers(&mut self, cursor: &Cursor) {
        for (i, window) in cursor.tokens().windows(3).enumerate() {
            let [Token::Word(reg), Token::Mark(':'), Token::Word(word)] = window else { continue };
            let (Some(number), Some(ty)) = (numbered(reg, "v"), ty(word)) else { continue };
            note_register(self.function, Reg::new(number), ty);
            let mut rest = cursor.tokens()[i + 3..].iter().peekable();
            if let Some(Token::Text(name)) = rest.peek() {
                self.function.regs[Reg::new(number)].name = String::from_utf8_lossy(name).into_owned();
                rest.next();
            }
            if let Some(Token::Word(word)) = rest.next()
                && let Some(source) = numbered(word, "type")
            {
                self.function.regs[Reg::new(number)].source = Some(TypeId::new(source));
            }
        }
    }

    fn line(&mut self, cursor: &mut Cursor) -> Read<()> {
        if let [Token::Word(label), Token::Mark(':')] = cursor.tokens() {
            let here = self.function.code.len() as u32;
            let block = self.function.blocks.push(Block { start: here, end: here });
            return if block.to_string() == *label { Ok(()) } else { Err(format!("{block} should be next")) };
        }
        let last = self.function.blocks.keys().next_back().ok_or("an instruction before the first block")?;
        let inst = self.inst(cursor)?;
        cursor.end()?;
        let loc = match cursor.comment.take() {
            Some(text) => Some(self.places.read(&text, &self.function.name)?),
            None => None,
        };
        self.function.code.push(inst);
        self.function.locs.push(loc);
        self.function.blocks[last].end += 1;
        Ok(())
    }

    fn inst(&mut self, cursor: &mut Cursor) -> Read<Inst> {
        let mut dsts = Vec::new();
        while matches!(cursor.peek(), Some(Token::Word(word)) if numbered(word, "v").is_some()) {
            dsts.push(self.written(cursor)?);
            if !cursor.eat(',') {
                cursor.expect('=')?;
                break;
            }
        }
        let op = cursor.word()?;
        match (op.as_str(), dsts.as_slice()) {
            ("call", _) => self.call(cursor, dsts),
            (_, [dst, ..]) => self.valued(cursor, &op, *dst),
            (_, []) => self.plain(cursor, &op),
        }
    }

    /// An instruction that writes a register.
    fn valued(&mut self, c: &mut Cursor, op: &str, dst: Reg) -> Read<Inst> {
        let written = self.function.regs[dst].ty;
        let width = written.bits(self.layout);
        let float = || match written {
            Ty::Float(float) => Ok(float),
            other => Err(format!("`{op}` writes a float, not {other}")),
        };
        if let Some(op) = named(BIN, op) {
            let flags = IntFlags { nsw: c.eat_word("nsw"), nuw: c.eat_word("nuw") };
            let [a, b] = self.operands(c)?;
            return Ok(Inst::Bin { op, flags, width, dst, a, b });
        }
        if let Some(op) = named(BIT, op) {
            return Ok(Inst::Bit { op, width, dst, a: self.operand(c)? });
        }
        if let Some(op) = named(CAST, op) {
            return Ok(Inst::Cast { op, from: c.width()?, to: width, dst, src: self.operand(c)? });
        }
        if let Some(op) = op.strip_suffix(".overflow").and_then(|op| named(OVERFLOW, op)) {
            let [a, b] = self.operands(c)?;
            return Ok(Inst::Overflow { op, width, dst, a, b });
        }
        if let Some(op) = op.strip_prefix('f').and_then(|op| named(FLOAT_UN, op)) {
            return Ok(Inst::FloatUn { op, ty: float()?, dst, a: self.operand(c)? });
        }
        if let Some(op) = op.strip_prefix('f').and_then(|op| named(FLOAT_BIN, op)) {
            let [a, b] = self.operands(c)?;
            return Ok(Inst::FloatBin { op, ty: float()?, dst, a, b });
        }
        self.other_valued(c, op, dst, written)
    }

    /// The rest of them, each of its own kind.
    fn other_valued(&mut self, c: &mut Cursor, op: &str, dst: Reg, written: Ty) -> Read<Inst> {
        let width = written.bits(self.layout);
        Ok(match op {
            "copy" => Inst::Copy { dst, src: self.operand(c)? },
            "undef" => Inst::Undef { dst },
            "cmp" => {
                let op = c.word()?;
                let op = named(CMP, &op).ok_or_else(|| format!("there is no comparison `{op}`"))?;
                let width = c.width()?;
                let [a, b] = self.operands(c)?;
                Inst::Cmp { op, width, dst, a, b }
            }
            "select" => {
                let [cond, a, b] = self.operands(c)?;
                Inst::Select { dst, cond, a, b, width }
            }
            "fshl" | "fshr" => {
                let [a, b, by] = self.operands(c)?;
                Inst::Funnel { left: op == "fshl", width, dst, a, b, c: by }
            }
            "fma" | "fcmp" | "fconvert" | "stof" | "utof" | "fclass" => self.float(c, op, dst, written)?,
            _ if op.starts_with("ftos.") || op.starts_with("ftou.") => {
                return self.float(c, op, dst, written);
            }
            "alloca" => return self.alloca(c, dst),
            "load" => Inst::Load { dst, width: c.width()?, ptr: self.operand(c)? },
            "ptradd" => {
                let base = self.operand(c)?;
                c.expect(',')?;
                Inst::PtrAdd { dst, base, disp: c.signed()? }
            }
            "ptrindex" => {
                let base = self.operand(c)?;
                c.expect(',')?;
                let scale = c.number()?;
                c.expect('*')?;
                Inst::PtrIndex { dst, base, scale, width: c.width()?, index: self.operand(c)? }
            }
            "objectsize" | "objectsize.min" => {
                Inst::ObjectSize { dst, ptr: self.operand(c)?, width, min: op == "objectsize.min" }
            }
            "stacksave" => Inst::StackSave { dst },
            "frameaddress" => Inst::FrameAddress { dst },
            "returnaddress" => Inst::ReturnAddress { dst, depth: c.number()? },
            "va_arg" => Inst::VaArg { dst, list: self.operand(c)?, ty: written },
            "cmpxchg" => {
                let [ptr, expected, new] = self.operands(c)?;
                Inst::CmpXchg { dst, ptr, expected, new, width }
            }
            "rmw" => {
                let op = atomic(&c.word()?, written)?;
                let [ptr, value] = self.operands(c)?;
                Inst::AtomicRmw { op, dst, ptr, value, width }
            }
            _ => return Err(format!("there is no instruction `{op}` that writes a register")),
        })
    }

    fn float(&mut self, c: &mut Cursor, op: &str, dst: Reg, written: Ty) -> Read<Inst> {
        let float = || match written {
            Ty::Float(float) => Ok(float),
            other => Err(format!("`{op}` writes a float, not {other}")),
        };
        let width = written.bits(self.layout);
        Ok(match op {
            "fma" => {
                let [a, b, by] = self.operands(c)?;
                Inst::Fma { ty: float()?, dst, a, b, c: by }
            }
            "fcmp" => {
                let op = c.word()?;
                let op = named(FLOAT_CMP, &op).ok_or_else(|| format!("there is no comparison `{op}`"))?;
                let ty = c.float()?;
                let [a, b] = self.operands(c)?;
                Inst::FloatCmp { op, ty, dst, a, b }
            }
            "fconvert" => Inst::FloatToFloat { from: c.float()?, to: float()?, dst, src: self.operand(c)? },
            "fclass" => Inst::FloatClass { mask: c.number()?, ty: c.float()?, dst, a: self.operand(c)? },
            "stof" | "utof" => {
                Inst::IntToFloat { from: c.width()?, to: float()?, signed: op == "stof", dst, src: self.operand(c)? }
            }
            _ => {
                let (signed, beyond) = (op.starts_with("ftos"), op.get(5..).unwrap_or_default());
                let beyond = named(Beyond::ALL, beyond).ok_or_else(|| format!("there is no conversion `{op}`"))?;
                let from = c.float()?;
                Inst::FloatToInt { from, to: width, signed, beyond, dst, src: self.operand(c)? }
            }
        })
    }

    /// An instruction that writes no register.
    fn plain(&mut self, c: &mut Cursor, op: &str) -> Read<Inst> {
        Ok(match op {
            "store" => {
                let width = c.width()?;
                let [ptr, value] = self.operands(c)?;
                Inst::Store { ptr, value, width }
            }
            "memcopy" => {
                let [dst, src, len] = self.operands(c)?;
                Inst::MemCopy { dst, src, len, width: self.width_of(len) }
            }
            "memset" => {
                let [dst, byte, len] = self.operands(c)?;
                Inst::MemSet { dst, byte, len, width: self.width_of(len) }
            }
            "lifetime.start" => Inst::LifetimeStart { ptr: self.operand(c)? },
            "lifetime.end" => Inst::LifetimeEnd { ptr: self.operand(c)? },
            "stackrestore" => Inst::StackRestore { mark: self.operand(c)? },
            "va_start" => Inst::VaStart { list: self.operand(c)? },
            "va_end" => Inst::VaEnd { list: self.operand(c)? },
            "va_copy" => {
                let [dst, src] = self.operands(c)?;
                Inst::VaCopy { dst, src }
            }
            "require" => {
                let what = c.word()?;
                let what = named(Requirement::ALL, &what).ok_or_else(|| format!("nothing is required as `{what}`"))?;
                Inst::Require { cond: self.operand(c)?, what }
            }
            "trap" => Inst::Trap,
            "unsupported" => Inst::Unsupported { what: self.function.unsupported.push(c.string()?) },
            "condition" | "outcome" => {
                let (cond, then, otherwise) = self.two_ways(c)?;
                Inst::Condition { cond, value: op == "outcome", then, otherwise }
            }
            "br" => return self.branch(c),
            "switch" => return self.switch(c),
            "indirectbr" => {
                let addr = self.operand(c)?;
                let mut edges = Vec::new();
                while c.eat(',') {
                    edges.push(self.edge(c)?);
                }
                Inst::IndirectBr { addr, edges: self.function.edge_lists.push(edges) }
            }
            "ret" => {
                let values = if c.peek().is_none() { Vec::new() } else { self.list(c)? };
                Inst::Ret { values: self.function.lists.push(values) }
            }
            "unreachable" => Inst::Unreachable,
            _ => return Err(format!("there is no instruction `{op}` that writes no register")),
        })
    }

    fn branch(&mut self, c: &mut Cursor) -> Read<Inst> {
        if matches!(c.peek(), Some(Token::Word(word)) if numbered(word, "b").is_some()) {
            return Ok(Inst::Br { edge: self.edge(c)? });
        }
        let (cond, then, otherwise) = self.two_ways(c)?;
        Ok(Inst::CondBr { cond, then, otherwise })
    }

    /// A condition and where its two sides lead.
    fn two_ways(&mut self, c: &mut Cursor) -> Read<(Operand, EdgeId, EdgeId)> {
        let cond = self.operand(c)?;
        c.expect(',')?;
        let then = self.edge(c)?;
        c.expect(',')?;
        Ok((cond, then, self.edge(c)?))
    }

    fn switch(&mut self, c: &mut Cursor) -> Read<Inst> {
        let width = c.width()?;
        let value = self.operand(c)?;
        let mut cases = Vec::new();
        loop {
            c.expect(',')?;
            // Without cases there is nothing between two commas.
            if matches!(c.peek(), Some(Token::Mark(','))) {
                continue;
            }
            let default = c.eat_word("default");
            let case = if default { 0 } else { c.number()? };
            c.expect(':')?;
            let edge = self.edge(c)?;
            if default {
                let switch = Switch { value, width, cases, default: edge };
                return Ok(Inst::Switch { switch: self.function.switches.push(switch) });
            }
            cases.push((case, edge));
        }
    }

    fn alloca(&mut self, c: &mut Cursor, dst: Reg) -> Read<Inst> {
        let size = c.number()?;
        c.expect('*')?;
        let count = self.operand(c)?;
        c.keyword("align")?;
        let align = c.number()?;
        c.keyword("element")?;
        let element = c.number()?;
        let name = if matches!(c.peek(), Some(Token::Text(_))) { c.string()? } else { String::new() };
        let source = c.eat_type();
        let alloca = Alloca { dst, size, count, count_width: self.width_of(count), align, element, name, source };
        Ok(Inst::Alloca { alloca: self.function.allocas.push(alloca) })
    }

    fn call(&mut self, c: &mut Cursor, dsts: Vec<Reg>) -> Read<Inst> {
        let callee = if c.eat('*') {
            Callee::Indirect(self.operand(c)?)
        } else {
            let name = c.symbol()?;
            match self.symbols.get(&name) {
                Some(&Symbol::Function(func)) => Callee::Direct(func),
                _ => return Err(format!("there is no function @{name}")),
            }
        };
        c.expect('(')?;
        let mut args = Vec::new();
        while !c.eat(')') {
            let value = self.operand(c)?;
            args.push(CallArg { value, ty: self.type_of(value), byval: c.byval()? });
            if !c.eat(',') {
                c.expect(')')?;
                break;
            }
        }
        let returns = if c.eat_word("->") { c.types()? } else { Vec::new() };
        Ok(Inst::Call { call: self.function.calls.push(Call { callee, args, dsts, returns }) })
    }

    /// `b1 [v2: i32 = v1, …]`.
    fn edge(&mut self, c: &mut Cursor) -> Read<EdgeId> {
        let to = c.block()?;
        let mut moves = Vec::new();
        if c.eat('[') {
            loop {
                let dst = self.written(c)?;
                c.expect('=')?;
                moves.push((dst, self.operand(c)?));
                if !c.eat(',') {
                    break;
                }
            }
            c.expect(']')?;
        }
        Ok(self.function.edges.push(Edge { to, moves }))
    }

    /// `v1: i32 "x" type2`: a register that is written.
    fn written(&mut self, c: &mut Cursor) -> Read<Reg> {
        let reg = c.register()?;
        c.expect(':')?;
        c.ty()?;
        if let Some(Token::Text(_)) = c.peek() {
            c.skip();
        }
        c.eat_type();
        Ok(reg)
    }

    /// A register, or a constant with its type.
    fn operand(&mut self, c: &mut Cursor) -> Read<Operand> {
        if let Some(Token::Word(word)) = c.peek()
            && let Some(number) = numbered(word, "v")
        {
            c.skip();
            if number >= self.function.regs.len() {
                note_register(self.function, Reg::new(number), Ty::Int(64));
            }
            return Ok(Operand::reg(Reg::new(number)));
        }
        let data = ConstData { ty: c.ty()?, value: value(c, self.symbols)? };
        let id = *self.consts.entry(data.clone()).or_insert_with(|| self.function.consts.push(data));
        Ok(Operand::constant(id))
    }

    fn list(&mut self, c: &mut Cursor) -> Read<Vec<Operand>> {
        let mut all = vec![self.operand(c)?];
        while c.eat(',') {
            all.push(self.operand(c)?);
        }
        Ok(all)
    }

    fn operands<const N: usize>(&mut self, c: &mut Cursor) -> Read<[Operand; N]> {
        self.list(c)?.try_into().map_err(|all: Vec<_>| format!("{} operands where {N} should be", all.len()))
    }

    fn type_of(&self, operand: Operand) -> Ty {
        match (operand.as_reg(), operand.as_const()) {
            (Some(reg), _) => self.function.regs[reg].ty,
            (_, Some(id)) => self.function.consts[id].ty,
            _ => unreachable!("an operand is a register or a constant"),
        }
    }

    fn width_of(&self, operand: Operand) -> u32 {
        self.type_of(operand).bits(self.layout)
    }
}

/// A read-modify-write operation. A float one has an `f` before its name, and a float to work on.
fn atomic(word: &str, ty: Ty) -> Read<AtomicOp> {
    let float = word.strip_prefix('f').and_then(|op| named(FLOAT_BIN, op));
    match (word, ty, float) {
        ("xchg", ..) => Ok(AtomicOp::Xchg),
        ("nand", ..) => Ok(AtomicOp::Nand),
        (_, Ty::Float(ty), Some(op)) => Ok(AtomicOp::Float(op, ty)),
        _ => named(BIN, word).map(AtomicOp::Int).ok_or_else(|| format!("there is no atomic operation `{word}`")),
    }
}
