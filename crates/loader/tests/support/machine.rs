//! A small concrete interpreter of the program representation: slow and simple, to check that lowering keeps the meaning.
//!
//! Integers up to 128 bits, `float` and `double`; no checks, no library but `printf` and a few others.

use std::collections::HashMap;

use taw_ir::*;

/// Runs `main` and gives back what it printed; `None` if it takes too many steps.
pub fn run(program: &Program) -> Option<String> {
    let mut machine = Machine::new(program);
    for &f in &program.constructors {
        machine.call(f, &[])?;
    }
    let main = program.function_named("main").expect("there is a main");
    machine.call(main, &[(0, Ty::Int(32)), (0, Ty::Ptr)])?;
    Some(machine.output)
}

const STEPS: u64 = 20_000_000;

const FUNCTIONS: u64 = 0x1000;
const BLOCKS: u64 = 0x100_000;
const MEMORY: u64 = 0x1_000_000;

type Value = (u128, Ty);

struct Machine<'p> {
    program: &'p Program,
    memory: Vec<u8>,
    globals: HashMap<GlobalId, u64>,
    output: String,
    steps: u64,
}

struct Frame<'p> {
    f: &'p Function,
    id: FuncId,
    regs: Vec<u128>,
    extra: Vec<Value>,
}

fn mask(value: u128, width: u32) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

fn signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

impl<'p> Machine<'p> {
    fn new(program: &'p Program) -> Self {
        let mut machine =
            Machine { program, memory: Vec::new(), globals: HashMap::new(), output: String::new(), steps: 0 };
        for (id, global) in &program.globals {
            let address = machine.allocate(global.size, global.align);
            machine.globals.insert(id, address);
        }
        for (id, global) in &program.globals {
            let Some(init) = &global.init else { continue };
            let base = machine.globals[&id];
            for (i, &byte) in init.bytes.iter().enumerate() {
                machine.write(base + i as u64, 8, byte.into());
            }
            for r in &init.relocations {
                let value = machine.constant(&r.value, r.bytes * 8);
                machine.write(base + r.offset, r.bytes * 8, value);
            }
        }
        machine
    }

    fn pointer(&self) -> u32 {
        self.program.layout.pointer_bits
    }

    fn allocate(&mut self, size: u64, align: u64) -> u64 {
        let start = (self.memory.len() as u64 + 16).next_multiple_of(align.max(16));
        self.memory.resize((start + size) as usize, 0);
        MEMORY + start
    }

    fn read(&self, at: u64, width: u32) -> u128 {
        let start = (at - MEMORY) as usize;
        let bytes = &self.memory[start..start + width.div_ceil(8) as usize];
        mask(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte)), width)
    }

    fn write(&mut self, at: u64, width: u32, value: u128) {
        let start = (at - MEMORY) as usize;
        let bytes = width.div_ceil(8) as usize;
        self.memory[start..start + bytes].copy_from_slice(&mask(value, width).to_le_bytes()[..bytes]);
    }

    fn text(&self, at: u64) -> String {
        let bytes = self.memory[(at - MEMORY) as usize..].iter();
        bytes.take_while(|&&b| b != 0).map(|&b| b as char).collect()
    }

    fn constant(&self, value: &ConstValue, width: u32) -> u128 {
        let value = match value {
            ConstValue::Bits(words) => words.iter().rev().fold(0, |value, &word| value << 64 | u128::from(word)),
            ConstValue::Undef => 0,
            ConstValue::Address(symbol, offset) => {
                let base = match symbol {
                    Symbol::Function(id) => FUNCTIONS + u64::from(id.as_u32()) * 16,
                    Symbol::Global(id) => self.globals[id],
                    Symbol::Block(_, block) => BLOCKS + u64::from(block.as_u32()) * 16,
                };
                u128::from(base.wrapping_add_signed(*offset))
            }
            ConstValue::Add(a, b) => self.constant(a, width).wrapping_add(self.constant(b, width)),
            ConstValue::Sub(a, b) => self.constant(a, width).wrapping_sub(self.constant(b, width)),
        };
        mask(value, width)
    }

    fn call(&mut self, id: FuncId, args: &[Value]) -> Option<Vec<u128>> {
        let f = &self.program.functions[id];
        if !f.is_defined() {
            return Some(self.library(&f.name, args));
        }
        let mut frame =
            Frame { f, id, regs: vec![0; f.regs.len()], extra: args.iter().skip(f.params.len()).copied().collect() };
        for (param, &(value, ty)) in f.params.iter().zip(args) {
            let copy = param.byval.map(|copy| {
                let address = self.allocate(copy.size, copy.align);
                for i in 0..copy.size {
                    let byte = self.read(value as u64 + i, 8);
                    self.write(address + i, 8, byte);
                }
                u128::from(address)
            });
            assert_eq!(ty.bits(&self.program.layout), param.ty.bits(&self.program.layout));
            frame.regs[param.reg.index()] = copy.unwrap_or(value);
        }
        self.execute(frame)
    }

    fn execute(&mut self, mut frame: Frame<'p>) -> Option<Vec<u128>> {
        let mut block = BlockId::new(0);
        loop {
            let Block { start, end } = frame.f.blocks[block];
            for i in start..end {
                self.steps += 1;
                if self.steps > STEPS {
                    return None;
                }
                let inst = &frame.f.code[i as usize];
                if inst.is_terminator() {
                    match self.terminate(&mut frame, inst) {
                        Ok(next) => block = next,
                        Err(results) => return Some(results),
                    }
                } else {
                    self.step(&mut frame, inst)?;
                }
            }
        }
    }

    fn value(&self, frame: &Frame<'_>, operand: Operand) -> u128 {
        match (operand.as_reg(), operand.as_const()) {
            (Some(reg), _) => frame.regs[reg.index()],
            (_, Some(c)) => {
                let data = &frame.f.consts[c];
                self.constant(&data.value, data.ty.bits(&self.program.layout))
            }
            _ => unreachable!(),
        }
    }

    fn terminate(&mut self, frame: &mut Frame<'p>, inst: &Inst) -> Result<BlockId, Vec<u128>> {
        let edge = match *inst {
            Inst::Br { edge } => edge,
            Inst::CondBr { cond, then, otherwise } => {
                if self.value(frame, cond) == 1 {
                    then
                } else {
                    otherwise
                }
            }
            Inst::Switch { switch } => {
                let switch = &frame.f.switches[switch];
                let value = self.value(frame, switch.value);
                let case = switch.cases.iter().find(|(case, _)| u128::from(*case) == value);
                case.map_or(switch.default, |&(_, edge)| edge)
            }
            Inst::IndirectBr { addr, edges } => {
                let to = BlockId::new(((self.value(frame, addr) as u64 - BLOCKS) / 16) as usize);
                let list = &frame.f.edge_lists[edges];
                *list.iter().find(|&&e| frame.f.edges[e].to == to).expect("a listed block")
            }
            Inst::Ret { values } => {
                return Err(frame.f.lists[values].iter().map(|&v| self.value(frame, v)).collect());
            }
            _ => panic!("{inst:?} was reached in {}", frame.f.name),
        };
        for &(dst, src) in &frame.f.edges[edge].moves {
            frame.regs[dst.index()] = self.value(frame, src);
        }
        Ok(frame.f.edges[edge].to)
    }

    fn step(&mut self, frame: &mut Frame<'p>, inst: &Inst) -> Option<()> {
        let v = |o: Operand| self.value(frame, o);
        let at = |o: Operand| self.value(frame, o) as u64;
        let bits = self.pointer();
        let (dst, value) = match *inst {
            Inst::Copy { dst, src } => (dst, v(src)),
            Inst::Undef { dst } => (dst, 0),
            Inst::Bin { op, width, dst, a, b, .. } => (dst, binary(op, width, v(a), v(b))),
            Inst::Overflow { op, width, dst, a, b } => {
                let (result, flag) = overflow(op, width, v(a), v(b));
                frame.regs[dst.index() + 1] = flag.into();
                (dst, result)
            }
            Inst::Bit { op, width, dst, a } => (dst, bit(op, width, v(a))),
            Inst::Funnel { left, width, dst, a, b, c } => (dst, funnel(left, width, v(a), v(b), v(c))),
            Inst::Cmp { op, width, dst, a, b } => (dst, compare(op, width, v(a), v(b)).into()),
            Inst::Select { dst, cond, a, b, .. } => (dst, if v(cond) == 1 { v(a) } else { v(b) }),
            Inst::Cast { op: CastOp::SExt, from, to, dst, src } => (dst, mask(signed(v(src), from) as u128, to)),
            Inst::Cast { to, dst, src, .. } => (dst, mask(v(src), to)),
            Inst::FloatUn { op, ty, dst, a } => (dst, encode(ty, float_unary(op, decode(ty, v(a))))),
            Inst::FloatBin { op, ty, dst, a, b } => (dst, float_binary(op, ty, v(a), v(b))),
            Inst::Fma { ty, dst, a, b, c } => (dst, fused(ty, v(a), v(b), v(c))),
            Inst::FloatCmp { op, ty, dst, a, b } => (dst, float_compare(op, decode(ty, v(a)), decode(ty, v(b))).into()),
            Inst::FloatToFloat { from, to, dst, src } => (dst, encode(to, decode(from, v(src)))),
            Inst::FloatToInt { from, to, signed, saturating, dst, src } => {
                (dst, float_to_int(decode(from, v(src)), to, signed, saturating))
            }
            Inst::IntToFloat { from, to, signed: is_signed, dst, src } => {
                let value = v(src);
                let f = if is_signed { signed(value, from) as f64 } else { value as f64 };
                let single = if is_signed { signed(value, from) as f32 } else { value as f32 };
                (dst, if to == FloatTy::F32 { single.to_bits().into() } else { encode(to, f) })
            }
            Inst::FloatClass { mask, ty, dst, a } => (dst, class(mask, decode(ty, v(a))).into()),
            Inst::Alloca { alloca } => {
                let alloca = &frame.f.allocas[alloca];
                let count = v(alloca.count) as u64;
                (alloca.dst, self.allocate(alloca.size * count, alloca.align).into())
            }
            Inst::Load { dst, ptr, width } => (dst, self.read(at(ptr), width)),
            Inst::PtrAdd { dst, base, disp } => (dst, mask(v(base).wrapping_add_signed(disp.into()), bits)),
            Inst::PtrIndex { dst, base, index, width, scale } => {
                let offset = signed(v(index), width).wrapping_mul(scale.into());
                (dst, mask(v(base).wrapping_add_signed(offset), bits))
            }
            Inst::ObjectSize { dst, width, min, .. } => (dst, if min { 0 } else { mask(u128::MAX, width) }),
            Inst::StackSave { dst } | Inst::FrameAddress { dst } => (dst, MEMORY.into()),
            Inst::CmpXchg { dst, ptr, expected, new, width } => {
                let (old, ptr, new) = (self.read(at(ptr), width), at(ptr), v(new));
                let equal = old == v(expected);
                frame.regs[dst.index() + 1] = equal.into();
                if equal {
                    self.write(ptr, width, new);
                }
                (dst, old)
            }
            Inst::AtomicRmw { op, dst, ptr, value, width } => {
                let (old, ptr, value) = (self.read(at(ptr), width), at(ptr), v(value));
                let new = match op {
                    AtomicOp::Xchg => value,
                    AtomicOp::Nand => mask(!(old & value), width),
                    AtomicOp::Int(op) => binary(op, width, old, value),
                    AtomicOp::Float(op, ty) => float_binary(op, ty, old, value),
                };
                self.write(ptr, width, new);
                (dst, old)
            }
            _ => return self.effect(frame, inst),
        };
        frame.regs[dst.index()] = value;
        Some(())
    }

    /// Instructions without a result, and calls.
    fn effect(&mut self, frame: &mut Frame<'p>, inst: &Inst) -> Option<()> {
        let v = |o: Operand| self.value(frame, o);
        match *inst {
            Inst::Store { ptr, value, width } => self.write(v(ptr) as u64, width, v(value)),
            Inst::MemCopy { dst, src, len, .. } => {
                let (dst, src, len) = (v(dst) as u64, v(src) as u64, v(len) as u64);
                if len > 0 {
                    let start = (src - MEMORY) as usize;
                    self.memory.copy_within(start..start + len as usize, (dst - MEMORY) as usize);
                }
            }
            Inst::MemSet { dst, byte, len, .. } => {
                let (dst, byte, len) = (v(dst) as u64, v(byte), v(len) as u64);
                (0..len).for_each(|i| self.write(dst + i, 8, byte));
            }
            Inst::VaStart { list } => {
                let list = v(list) as u64;
                self.start_list(&frame.extra.clone(), list);
            }
            Inst::VaCopy { dst, src } => {
                let (dst, src) = (v(dst) as u64, v(src) as u64);
                let size = if self.pointer() == 64 { 24 } else { 4 };
                for i in 0..size {
                    let byte = self.read(src + i, 8);
                    self.write(dst + i, 8, byte);
                }
            }
            Inst::Call { call } => {
                let call = &frame.f.calls[call];
                let callee = match call.callee {
                    Callee::Direct(id) => id,
                    Callee::Indirect(o) => FuncId::new(((v(o) as u64 - FUNCTIONS) / 16) as usize),
                };
                let args: Vec<Value> = call.args.iter().map(|arg| (v(arg.value), arg.ty)).collect();
                let results = self.call(callee, &args)?;
                for (dst, result) in call.dsts.iter().zip(results) {
                    frame.regs[dst.index()] = result;
                }
            }
            Inst::Assume { cond } => assert_eq!(v(cond), 1, "a broken promise in {}", frame.f.name),
            Inst::Unsupported { what } => panic!("{} in {}", frame.f.unsupported[what], frame.f.name),
            Inst::LifetimeStart { .. } | Inst::LifetimeEnd { .. } | Inst::StackRestore { .. } | Inst::VaEnd { .. } => {}
            _ => panic!("{inst:?} in {}", frame.id),
        }
        Some(())
    }

    /// All variable arguments lie in memory, as the ABI has them once the registers are used up.
    fn start_list(&mut self, args: &[Value], list: u64) {
        let word = u64::from(self.pointer() / 8);
        let area = self.allocate(16 * args.len() as u64 + 16, 16);
        let mut at = area;
        for &(value, ty) in args {
            let width = ty.bits(&self.program.layout);
            self.write(at, width, value);
            at += u64::from(width.div_ceil(8)).next_multiple_of(word);
        }
        if word == 8 {
            self.write(list, 32, 48);
            self.write(list + 4, 32, 304);
            self.write(list + 8, 64, area.into());
        } else {
            self.write(list, 32, area.into());
        }
    }

    fn library(&mut self, name: &str, args: &[Value]) -> Vec<u128> {
        let arg = |i: usize| args[i].0;
        match name {
            "printf" => {
                let text = self.format(&args[0..]);
                self.output.push_str(&text);
                vec![text.len() as u128]
            }
            "puts" => {
                let text = self.text(arg(0) as u64);
                self.output.push_str(&format!("{text}\n"));
                vec![0]
            }
            "putchar" => {
                self.output.push(arg(0) as u8 as char);
                vec![arg(0)]
            }
            "strlen" => vec![self.text(arg(0) as u64).len() as u128],
            "strcmp" => {
                let (a, b) = (self.text(arg(0) as u64), self.text(arg(1) as u64));
                vec![mask(a.cmp(&b) as i32 as u128, 32)]
            }
            "malloc" => vec![self.allocate(arg(0) as u64, 16).into()],
            "free" => vec![],
            "sin" | "cos" | "exp" | "pow" => {
                let f = |i: usize| f64::from_bits(arg(i) as u64);
                let result = match name {
                    "sin" => f(0).sin(),
                    "cos" => f(0).cos(),
                    "exp" => f(0).exp(),
                    _ => f(0).powf(f(1)),
                };
                vec![result.to_bits().into()]
            }
            "frexp" => {
                let value = f64::from_bits(arg(0) as u64);
                let exponent = value.abs().log2().floor() as i32 + 1;
                self.write(arg(1) as u64, 32, exponent as u32 as u128);
                vec![(value / 2f64.powi(exponent)).to_bits().into()]
            }
            _ => panic!("the function {name} is not there"),
        }
    }

    fn format(&self, args: &[Value]) -> String {
        let format = self.text(args[0].0 as u64);
        let mut args = args[1..].iter();
        let (mut out, mut rest) = (String::new(), format.as_str());
        while let Some(i) = rest.find('%') {
            out.push_str(&rest[..i]);
            let spec = &rest[i + 1..];
            let end = spec.find(|c: char| c.is_ascii_alphabetic() && !"lhzj".contains(c)).unwrap_or(0);
            rest = &spec[end + 1..];
            let &(value, ty) = args.next().expect("an argument for each %");
            let width = ty.bits(&self.program.layout);
            out.push_str(&match &spec[end..end + 1] {
                "d" | "i" => signed(value, width).to_string(),
                "u" => value.to_string(),
                "x" => format!("{value:x}"),
                "X" => format!("{value:X}"),
                "c" => (value as u8 as char).to_string(),
                "s" => self.text(value as u64),
                "a" | "f" | "g" => format!("{:016x}", value),
                other => panic!("printf with %{other}"),
            });
        }
        out + rest
    }
}

fn binary(op: BinOp, width: u32, a: u128, b: u128) -> u128 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let (max, min) = (mask(u128::MAX, width - 1) as i128, -1 - mask(u128::MAX, width - 1) as i128);
    let value = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a / b,
        BinOp::SDiv => sa.wrapping_div(sb) as u128,
        BinOp::URem => a % b,
        BinOp::SRem => sa.wrapping_rem(sb) as u128,
        BinOp::Shl => a << b,
        BinOp::LShr => a >> b,
        BinOp::AShr => (sa >> b) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::UMin => a.min(b),
        BinOp::UMax => a.max(b),
        BinOp::SMin => sa.min(sb) as u128,
        BinOp::SMax => sa.max(sb) as u128,
        BinOp::UAddSat => a.saturating_add(b).min(mask(u128::MAX, width)),
        BinOp::USubSat => a.saturating_sub(b),
        BinOp::SAddSat => sa.saturating_add(sb).clamp(min, max) as u128,
        BinOp::SSubSat => sa.saturating_sub(sb).clamp(min, max) as u128,
        BinOp::UShlSat | BinOp::SShlSat => panic!("{op:?}"),
    };
    mask(value, width)
}

fn overflow(op: OverflowOp, width: u32, a: u128, b: u128) -> (u128, bool) {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let unsigned = |(value, over): (u128, bool)| (mask(value, width), over || value != mask(value, width));
    let with_sign = |(value, over): (i128, bool)| {
        let low = mask(value as u128, width);
        (low, over || signed(low, width) != value)
    };
    match op {
        OverflowOp::UAdd => unsigned(a.overflowing_add(b)),
        OverflowOp::USub => (mask(a.wrapping_sub(b), width), a < b),
        OverflowOp::UMul => unsigned(a.overflowing_mul(b)),
        OverflowOp::SAdd => with_sign(sa.overflowing_add(sb)),
        OverflowOp::SSub => with_sign(sa.overflowing_sub(sb)),
        OverflowOp::SMul => with_sign(sa.overflowing_mul(sb)),
    }
}

fn bit(op: BitOp, width: u32, a: u128) -> u128 {
    match op {
        BitOp::Ctpop => a.count_ones().into(),
        BitOp::Ctlz => (a.leading_zeros() - (128 - width)).into(),
        BitOp::Cttz => a.trailing_zeros().min(width).into(),
        BitOp::Bswap => a.swap_bytes() >> (128 - width),
        BitOp::BitReverse => a.reverse_bits() >> (128 - width),
        BitOp::Abs => mask(signed(a, width).wrapping_abs() as u128, width),
    }
}

fn funnel(left: bool, width: u32, a: u128, b: u128, c: u128) -> u128 {
    let by = (c % u128::from(width)) as u32;
    match (left, by) {
        (true, 0) => a,
        (false, 0) => b,
        (true, _) => mask(a << by | b >> (width - by), width),
        (false, _) => mask(a << (width - by) | b >> by, width),
    }
}

fn compare(op: CmpOp, width: u32, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(a, width), signed(b, width));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => sa < sb,
        CmpOp::Sle => sa <= sb,
        CmpOp::Sgt => sa > sb,
        CmpOp::Sge => sa >= sb,
    }
}

fn decode(ty: FloatTy, bits: u128) -> f64 {
    match ty {
        FloatTy::F32 => f32::from_bits(bits as u32).into(),
        FloatTy::F64 => f64::from_bits(bits as u64),
        other => panic!("arithmetic on {other}"),
    }
}

fn encode(ty: FloatTy, value: f64) -> u128 {
    match ty {
        FloatTy::F32 => (value as f32).to_bits().into(),
        FloatTy::F64 => value.to_bits().into(),
        other => panic!("arithmetic on {other}"),
    }
}

fn float_unary(op: FloatUnOp, a: f64) -> f64 {
    match op {
        FloatUnOp::Neg => -a,
        FloatUnOp::Abs => a.abs(),
        FloatUnOp::Sqrt => a.sqrt(),
        FloatUnOp::Floor => a.floor(),
        FloatUnOp::Ceil => a.ceil(),
        FloatUnOp::Trunc => a.trunc(),
        FloatUnOp::RoundEven => a.round_ties_even(),
        FloatUnOp::RoundAway => a.round(),
    }
}

/// Computing in double and rounding to single gives the correctly rounded result for these operations.
fn float_binary(op: FloatBinOp, ty: FloatTy, a: u128, b: u128) -> u128 {
    let (x, y) = (decode(ty, a), decode(ty, b));
    let value = match op {
        FloatBinOp::Add => x + y,
        FloatBinOp::Sub => x - y,
        FloatBinOp::Mul => x * y,
        FloatBinOp::Div => x / y,
        FloatBinOp::Rem => x % y,
        FloatBinOp::MinNum => x.min(y),
        FloatBinOp::MaxNum => x.max(y),
        FloatBinOp::CopySign => x.copysign(y),
        FloatBinOp::Minimum | FloatBinOp::Maximum => panic!("{op:?}"),
    };
    encode(ty, value)
}

fn fused(ty: FloatTy, a: u128, b: u128, c: u128) -> u128 {
    match ty {
        FloatTy::F32 => {
            f32::from_bits(a as u32).mul_add(f32::from_bits(b as u32), f32::from_bits(c as u32)).to_bits().into()
        }
        _ => encode(ty, decode(ty, a).mul_add(decode(ty, b), decode(ty, c))),
    }
}

fn float_compare(op: FloatCmpOp, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match op {
        FloatCmpOp::False => false,
        FloatCmpOp::Oeq => a == b,
        FloatCmpOp::Ogt => a > b,
        FloatCmpOp::Oge => a >= b,
        FloatCmpOp::Olt => a < b,
        FloatCmpOp::Ole => a <= b,
        FloatCmpOp::One => !unordered && a != b,
        FloatCmpOp::Ord => !unordered,
        FloatCmpOp::Uno => unordered,
        FloatCmpOp::Ueq => unordered || a == b,
        FloatCmpOp::Ugt => unordered || a > b,
        FloatCmpOp::Uge => unordered || a >= b,
        FloatCmpOp::Ult => unordered || a < b,
        FloatCmpOp::Ule => unordered || a <= b,
        FloatCmpOp::Une => a != b,
        FloatCmpOp::True => true,
    }
}

fn float_to_int(value: f64, to: u32, is_signed: bool, saturating: bool) -> u128 {
    let (low, high) =
        if is_signed { (-(2f64.powi(to as i32 - 1)), 2f64.powi(to as i32 - 1)) } else { (0.0, 2f64.powi(to as i32)) };
    let truncated = value.trunc();
    if saturating {
        let max = if is_signed { mask(u128::MAX, to - 1) } else { mask(u128::MAX, to) };
        let min = if is_signed { 1 << (to - 1) } else { 0 };
        return match truncated {
            t if t.is_nan() => 0,
            t if t < low => min,
            t if t >= high => max,
            t => mask(t as i128 as u128, to),
        };
    }
    assert!(truncated >= low && truncated < high, "the machine's choice");
    mask(truncated as i128 as u128, to)
}

fn class(mask: u16, value: f64) -> bool {
    let negative = value.is_sign_negative();
    let bit = match value.classify() {
        std::num::FpCategory::Nan => 1,
        std::num::FpCategory::Infinite => {
            if negative {
                2
            } else {
                9
            }
        }
        std::num::FpCategory::Normal => {
            if negative {
                3
            } else {
                8
            }
        }
        std::num::FpCategory::Subnormal => {
            if negative {
                4
            } else {
                7
            }
        }
        std::num::FpCategory::Zero => {
            if negative {
                5
            } else {
                6
            }
        }
    };
    mask >> bit & 1 == 1
}
