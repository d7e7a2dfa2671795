//! A small concrete interpreter of the program representation: slow and simple, to check that lowering keeps the meaning.
//!
//! Integers up to 128 bits, `float` and `double`; no checks, no library but `printf` and a few others.

use std::collections::HashMap;

use taw_ir::*;

mod arithmetic;

use arithmetic::*;

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

const STEPS: u64 = 8_000_000;

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
            Inst::FloatToInt { from, to, signed, beyond, dst, src } => {
                (dst, float_to_int(decode(from, v(src)), to, signed, beyond))
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
            Inst::StackSave { dst } | Inst::FrameAddress { dst } | Inst::ReturnAddress { dst, .. } => {
                (dst, MEMORY.into())
            }
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
            Inst::Condition { .. } => {}
            Inst::Require { cond, what } => assert_eq!(v(cond), 1, "{what:?} is broken in {}", frame.f.name),
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
