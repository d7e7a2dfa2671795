//! Builds the body of a function: registers, constants, blocks; and dispatches each instruction to who lowers it.
//!
//! LLVM's values become lists of operands, one per scalar ([`Parts`]). What only rearranges scalars (`extractvalue`,
//! `shufflevector`, `bitcast` to the same scalars) makes no instruction: its result *is* the operands. This is sound although
//! registers are mutable: a value's definition dominates the uses of what was made of it, so the register cannot be
//! written in between without the use being passed first; only phis are written on edges, where moves are parallel.

use std::collections::HashMap;
use std::rc::Rc;

use smallvec::SmallVec;
use taw_ir::{
    Block, BlockId, ConstData, ConstId, ConstValue, EntityRef, Function, Inst, LocId, Operand, Reg, RegData, Ty,
};

use super::Lower;
use super::constants;
use super::function;
use super::names::VariableNames;
use super::types::{OPAQUE, Shape};
use crate::llvm::{self, LlvmType, LlvmTypeKind, LlvmValue, Opcode, ValueKind};

/// The scalars of a value.
pub type Parts = SmallVec<[Operand; 4]>;

/// Why an instruction cannot be lowered, in words that name it.
pub type Unsupported = String;

/// A function under construction.
pub struct FunctionBody<'a, 'm> {
    pub(super) cx: &'a mut Lower<'m>,
    pub(super) f: Function,
    pub(super) names: VariableNames<'m>,
    pub(super) block_ids: HashMap<llvm::LlvmBlock<'m>, BlockId>,
    /// A place in memory for functions that give back results through pointers.
    pub(super) scratch: Option<Operand>,
    /// The block being lowered.
    pub(super) source: Option<llvm::LlvmBlock<'m>>,
    values: HashMap<LlvmValue<'m>, Parts>,
    consts: HashMap<ConstData, ConstId>,
    pub(super) loc: Option<LocId>,
    pub(super) block: BlockId,
    start: u32,
}

impl<'a, 'm> FunctionBody<'a, 'm> {
    /// A body for the function of that signature.
    pub fn new(cx: &'a mut Lower<'m>, signature: Function) -> Self {
        FunctionBody {
            cx,
            f: signature,
            names: VariableNames::default(),
            block_ids: HashMap::new(),
            scratch: None,
            source: None,
            values: HashMap::new(),
            consts: HashMap::new(),
            loc: None,
            block: BlockId::new(0),
            start: 0,
        }
    }

    /// Lowers the code.
    pub fn lower(mut self, f: LlvmValue<'m>) -> Function {
        self.names = VariableNames::of_function(f, self.cx.kinds);
        self.values = function::arguments(self.cx, f, &self.f);
        for (i, block) in f.blocks().enumerate() {
            self.block_ids.insert(block, BlockId::new(i));
            self.f.blocks.push(Block { start: 0, end: 0 });
        }
        // Definitions before uses, except in code that is never reached.
        for block in reachable_first(f) {
            self.source = Some(block);
            self.open(self.block_ids[&block]);
            if self.block == BlockId::new(0) {
                self.make_scratch(f);
            }
            for instruction in block.instructions() {
                self.instruction(instruction);
            }
        }
        self.f
    }

    fn instruction(&mut self, instruction: LlvmValue<'m>) {
        self.loc = instruction.location().and_then(|place| self.cx.debug.place(&mut self.cx.program, place));
        match self.dispatch(instruction) {
            Ok(parts) => self.define(instruction, parts),
            Err(what) => {
                self.unsupported(what);
                let shape = self.shape(instruction);
                if instruction.successors().next().is_some() || is_terminator(instruction) {
                    self.terminate(Inst::Unreachable);
                } else if !shape.opaque {
                    // Never executed, but what uses the result must find its type, in the text form too.
                    let parts = shape.scalars.iter().map(|&ty| self.undef(ty)).collect();
                    self.define(instruction, parts);
                }
            }
        }
    }

    fn dispatch(&mut self, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        let opcode = i.opcode().ok_or("an unknown instruction")?;
        let aggregate = |ty: LlvmType<'m>| {
            use LlvmTypeKind::*;
            matches!(ty.kind(), Struct | Array | Vector | Opaque | Int(_))
        };
        let types = [i.ty()].into_iter().chain(i.operands().map(LlvmValue::ty)).filter(|&ty| aggregate(ty));
        if types.collect::<Vec<_>>().into_iter().any(|ty| self.cx.types.shape(ty).opaque) {
            return Err(format!("{} of {OPAQUE}", word(opcode)));
        }
        self.outcomes(opcode, i);
        self.operation(opcode, i)
    }

    /// Lowers an instruction or constant expression.
    pub(super) fn operation(&mut self, opcode: Opcode, i: LlvmValue<'m>) -> Result<Parts, Unsupported> {
        use Opcode::*;
        match opcode {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
            | LLVMAnd | LLVMOr | LLVMXor => Ok(self.int_binary(opcode, i)),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => self.float_binary(opcode, i),
            LLVMFNeg => self.float_negate(i),
            LLVMICmp => Ok(self.int_compare(i)),
            LLVMFCmp => self.float_compare(i),
            LLVMSelect => Ok(self.select(i)),
            LLVMTrunc | LLVMZExt | LLVMSExt => Ok(self.int_cast(opcode, i)),
            LLVMPtrToInt | LLVMPtrToAddr | LLVMIntToPtr => Ok(self.pointer_cast(i)),
            LLVMFPTrunc | LLVMFPExt => self.float_cast(i),
            LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP => self.float_int_cast(opcode, i),
            LLVMBitCast | LLVMAddrSpaceCast => Ok(self.bit_cast(i)),
            LLVMFreeze => Ok(self.freeze(i)),
            LLVMPHI => Ok(self.results(i)),
            LLVMExtractValue => Ok(self.extract_value(i)),
            LLVMInsertValue => Ok(self.insert_value(i)),
            LLVMExtractElement => Ok(self.extract_element(i)),
            LLVMInsertElement => Ok(self.insert_element(i)),
            LLVMShuffleVector => Ok(self.shuffle(i)),
            LLVMAlloca => self.alloca(i),
            // `__builtin_constant_p` does not evaluate what it asks about.
            LLVMLoad if is_only_asked_about(i) => Ok(self.value_without_meaning(i)),
            LLVMLoad => self.load(i),
            LLVMStore => self.store(i),
            LLVMGetElementPtr => self.address(i),
            LLVMFence => Ok(Parts::new()),
            LLVMAtomicCmpXchg => Ok(self.compare_exchange(i)),
            LLVMAtomicRMW => self.read_modify_write(i),
            LLVMVAArg => self.variadic_argument(i),
            LLVMCall => self.call(i),
            LLVMInvoke => self.invoke(i),
            LLVMCallBr => Err(match i.callee().inline_assembly() {
                Some((text, _)) => format!("inline assembly that jumps, {text:?}"),
                None => "the instruction `callbr`".to_string(),
            }),
            LLVMRet => Ok(self.ret(i)),
            LLVMBr => Ok(self.branch(i)),
            LLVMSwitch => Ok(self.switch(i)),
            LLVMIndirectBr => Ok(self.indirect_branch(i)),
            LLVMUnreachable => Ok(self.terminate(Inst::Unreachable)),
            other => Err(format!("the instruction `{}`", word(other))),
        }
    }
}

/// How values of LLVM become operands.
impl<'m> FunctionBody<'_, 'm> {
    /// How a value is split.
    pub(super) fn shape(&mut self, v: LlvmValue<'m>) -> Rc<Shape> {
        self.cx.types.shape(v.ty())
    }

    /// Width of a scalar in bits.
    pub(super) fn width(&self, ty: Ty) -> u32 {
        ty.bits(&self.cx.program.layout)
    }

    /// The scalars of a value. Instructions that compute a constant are put at the current place.
    pub(super) fn value(&mut self, v: LlvmValue<'m>) -> Parts {
        if let Some(parts) = self.values.get(&v) {
            return parts.clone();
        }
        if !v.is_constant() {
            return self.results(v);
        }
        let before = self.f.code.len();
        let mut parts = Parts::new();
        self.constant(v, &mut parts);
        if self.f.code.len() == before {
            self.values.insert(v, parts.clone());
        }
        parts
    }

    /// The only scalar of a value; one without a particular value if it has none.
    pub(super) fn scalar(&mut self, v: LlvmValue<'m>) -> Operand {
        match self.value(v).first() {
            Some(&part) => part,
            None => self.undef(Ty::Int(1)),
        }
    }

    /// The registers of a value that is used before it is defined (a phi, or code that is never reached).
    pub(super) fn results(&mut self, v: LlvmValue<'m>) -> Parts {
        if let Some(parts) = self.values.get(&v) {
            return parts.clone();
        }
        let shape = self.shape(v);
        let (name, node) = self.names.value(v);
        let source = self.cx.source_type(node);
        let parts: Parts = shape
            .scalars
            .iter()
            .map(|&ty| Operand::reg(self.f.regs.push(RegData { ty, name: name.clone(), source })))
            .collect();
        self.values.insert(v, parts.clone());
        parts
    }

    pub(super) fn define(&mut self, v: LlvmValue<'m>, parts: Parts) {
        match self.values.get(&v).cloned() {
            Some(early) if early == parts => {}
            Some(early) => {
                let pairs: Vec<_> = early.iter().filter_map(|e| e.as_reg()).zip(parts).collect();
                for (dst, src) in pairs {
                    self.emit(Inst::Copy { dst, src });
                }
            }
            None => {
                self.name(v, &parts);
                self.values.insert(v, parts);
            }
        }
    }

    fn name(&mut self, v: LlvmValue<'m>, parts: &Parts) {
        if parts.is_empty() {
            return;
        }
        let (name, node) = self.names.value(v);
        let source = self.cx.source_type(node);
        for reg in parts.iter().filter_map(|part| part.as_reg()).filter(|_| !name.is_empty()) {
            let data = &mut self.f.regs[reg];
            if data.name.is_empty() {
                data.name.clone_from(&name);
                data.source = source;
            }
        }
    }

    fn constant(&mut self, c: LlvmValue<'m>, parts: &mut Parts) {
        use ValueKind::*;
        let shape = self.shape(c);
        match c.kind() {
            LLVMUndefValueValueKind | LLVMPoisonValueKind => {
                parts.extend(shape.scalars.iter().map(|&ty| self.undef(ty)));
            }
            LLVMConstantAggregateZeroValueKind => {
                parts.extend(shape.scalars.iter().map(|&ty| self.number(ty, 0)));
            }
            LLVMConstantStructValueKind
            | LLVMConstantArrayValueKind
            | LLVMConstantVectorValueKind
            | LLVMConstantDataArrayValueKind
            | LLVMConstantDataVectorValueKind => {
                for i in 0..c.ty().count() as u32 {
                    if let Some(element) = c.aggregate_element(i) {
                        self.constant(element, parts);
                    }
                }
            }
            _ if shape.scalars.is_empty() => {}
            _ => self.scalar_constant(c, &shape, parts),
        }
    }

    fn scalar_constant(&mut self, c: LlvmValue<'m>, shape: &Shape, parts: &mut Parts) {
        // A constant that all lanes of a vector share may be written as one.
        if let ([ty, ..], Some(value)) = (shape.scalars.as_slice(), self.cx.const_value(c)) {
            let operand = self.constant_of(*ty, value);
            parts.extend(std::iter::repeat_n(operand, shape.scalars.len()));
            return;
        }
        let lowered = match c.opcode() {
            Some(opcode) => self.operation(opcode, c),
            None => Err("a constant of a kind that is not understood".to_string()),
        };
        match lowered {
            Ok(found) => parts.extend(found),
            Err(what) => {
                self.unsupported(what);
                parts.extend(shape.scalars.iter().map(|&ty| self.undef(ty)));
            }
        }
    }

    /// A constant of the function.
    pub(super) fn constant_of(&mut self, ty: Ty, value: ConstValue) -> Operand {
        let data = ConstData { ty, value };
        if let Some(&id) = self.consts.get(&data) {
            return Operand::constant(id);
        }
        let id = self.f.consts.push(data.clone());
        self.consts.insert(data, id);
        Operand::constant(id)
    }

    /// A number of a type.
    pub(super) fn number(&mut self, ty: Ty, value: u64) -> Operand {
        let width = self.width(ty);
        self.constant_of(ty, constants::bits(value, width))
    }

    /// No particular value.
    pub(super) fn undef(&mut self, ty: Ty) -> Operand {
        self.constant_of(ty, ConstValue::Undef)
    }

    /// The type of an operand.
    pub(super) fn type_of(&self, operand: Operand) -> Ty {
        match (operand.as_reg(), operand.as_const()) {
            (Some(reg), _) => self.f.regs[reg].ty,
            (_, Some(constant)) => self.f.consts[constant].ty,
            _ => unreachable!("an operand is a register or a constant"),
        }
    }
}

/// How instructions are added.
impl FunctionBody<'_, '_> {
    /// A fresh register.
    pub(super) fn register(&mut self, ty: Ty) -> Reg {
        self.f.regs.push(RegData { ty, name: String::new(), source: None })
    }

    /// Appends an instruction that is no terminator.
    pub(super) fn emit(&mut self, inst: Inst) {
        self.f.code.push(inst);
        self.f.locs.push(self.loc);
    }

    /// Appends an instruction with a fresh register for its result.
    pub(super) fn compute(&mut self, ty: Ty, make: impl FnOnce(Reg) -> Inst) -> Operand {
        let dst = self.register(ty);
        self.emit(make(dst));
        Operand::reg(dst)
    }

    /// Appends an instruction that stops the path.
    pub(super) fn unsupported(&mut self, what: String) {
        let what = self.f.unsupported.push(what);
        self.emit(Inst::Unsupported { what });
    }

    /// Starts a block.
    pub(super) fn open(&mut self, block: BlockId) {
        self.block = block;
        self.start = self.f.code.len() as u32;
    }

    /// Appends a terminator, which ends the block.
    pub(super) fn terminate(&mut self, inst: Inst) -> Parts {
        self.emit(inst);
        self.f.blocks[self.block] = Block { start: self.start, end: self.f.code.len() as u32 };
        Parts::new()
    }

    /// A block that is not in LLVM's function.
    pub(super) fn extra_block(&mut self) -> BlockId {
        self.f.blocks.push(Block { start: 0, end: 0 })
    }
}

fn is_terminator(i: LlvmValue<'_>) -> bool {
    use Opcode::*;
    matches!(i.opcode(), Some(LLVMResume | LLVMCleanupRet | LLVMCatchRet | LLVMCatchSwitch | LLVMRet | LLVMUnreachable))
}

/// LLVM's word for an operation.
fn word(opcode: Opcode) -> String {
    format!("{opcode:?}").trim_start_matches("LLVM").to_lowercase()
}

/// The blocks in reverse postorder, then those that are never reached.
fn reachable_first(f: LlvmValue<'_>) -> Vec<llvm::LlvmBlock<'_>> {
    let all: Vec<_> = f.blocks().collect();
    let mut seen = std::collections::HashSet::new();
    let mut postorder = Vec::with_capacity(all.len());
    let mut stack = Vec::new();
    if let Some(&entry) = all.first() {
        seen.insert(entry);
        stack.push((entry, successors(entry)));
    }
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, successors(next)));
                }
            }
            None => {
                postorder.push(*block);
                stack.pop();
            }
        }
    }
    postorder.reverse();
    postorder.extend(all.into_iter().filter(|block| !seen.contains(block)));
    postorder
}

fn successors(block: llvm::LlvmBlock<'_>) -> Vec<llvm::LlvmBlock<'_>> {
    block.terminator().map(|t| t.successors().collect()).unwrap_or_default()
}

/// Whether a value is used for nothing but the question whether it is constant.
fn is_only_asked_about(value: LlvmValue<'_>) -> bool {
    let asks = |user: LlvmValue<'_>| match user.opcode() {
        Some(Opcode::LLVMCall) => user.callee().name().starts_with("llvm.is.constant"),
        Some(Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMTrunc) => is_only_asked_about(user),
        _ => false,
    };
    value.is_used() && value.users().all(asks)
}
