//! Values: functions, globals, constants, instructions, arguments, blocks.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMInlineAsmDialect, LLVMOpcode};

use super::{FloatPredicate, IntPredicate, LlvmType, Of, Opcode, RmwOp, chain, ffi, text};

pub use llvm_sys::LLVMValueKind as ValueKind;

/// A value. Equality and hash are those of identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LlvmValue<'m> {
    raw: LLVMValueRef,
    of: Of<'m>,
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LlvmBlock<'m> {
    raw: LLVMBasicBlockRef,
    of: Of<'m>,
}

impl<'m> LlvmValue<'m> {
    pub(super) fn new(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(LlvmValue { raw, of: PhantomData })
    }

    pub(super) fn known(raw: LLVMValueRef) -> Self {
        Self::new(raw).expect("LLVM has a value here")
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.raw
    }

    /// What it is.
    pub fn kind(self) -> ValueKind {
        // SAFETY: the value lives as long as its module.
        unsafe { LLVMGetValueKind(self.raw) }
    }

    /// Its type; that of a function or global is the pointer to it.
    pub fn ty(self) -> LlvmType<'m> {
        // SAFETY: as above.
        LlvmType::new(unsafe { LLVMTypeOf(self.raw) })
    }

    /// Its name; may be empty.
    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: the text belongs to the value.
        unsafe {
            let data = LLVMGetValueName2(self.raw, &mut len);
            text(data, len)
        }
    }

    /// Whether anything uses it.
    pub fn is_used(self) -> bool {
        assert!(self.is_instruction());
        // SAFETY: instructions have a list of uses.
        unsafe { !LLVMGetFirstUse(self.raw).is_null() }
    }

    /// What uses it.
    pub fn users(self) -> impl Iterator<Item = LlvmValue<'m>> {
        assert!(self.is_instruction());
        // SAFETY: instructions have a list of uses, which ends with null and stays as it is while it is read.
        let mut next = unsafe { LLVMGetFirstUse(self.raw) };
        std::iter::from_fn(move || {
            if next.is_null() {
                return None;
            }
            // SAFETY: as above; every use has a user.
            let user = unsafe { LLVMGetUser(next) };
            next = unsafe { LLVMGetNextUse(next) };
            LlvmValue::new(user)
        })
    }

    /// Whether it is a constant (this includes functions and globals).
    pub fn is_constant(self) -> bool {
        // SAFETY: as above.
        unsafe { LLVMIsConstant(self.raw) != 0 }
    }

    /// Whether it is an instruction.
    pub fn is_instruction(self) -> bool {
        self.kind() == ValueKind::LLVMInstructionValueKind
    }

    /// Whether it is a function.
    pub fn is_function(self) -> bool {
        self.kind() == ValueKind::LLVMFunctionValueKind
    }

    /// Whether it is a global variable.
    pub fn is_global_variable(self) -> bool {
        self.kind() == ValueKind::LLVMGlobalVariableValueKind
    }

    /// The operation of an instruction or constant expression.
    pub fn opcode(self) -> Option<Opcode> {
        // SAFETY: each call is made for its kind of value only.
        match self.kind() {
            ValueKind::LLVMInstructionValueKind => Some(unsafe { LLVMGetInstructionOpcode(self.raw) }),
            ValueKind::LLVMConstantExprValueKind => Some(unsafe { LLVMGetConstOpcode(self.raw) }),
            _ => None,
        }
    }

    fn is(self, opcode: Opcode) -> bool {
        self.opcode() == Some(opcode)
    }

    fn is_user(self) -> bool {
        // SAFETY: the value lives as long as its module.
        unsafe { !LLVMIsAUser(self.raw).is_null() }
    }

    /// Number of operands.
    pub fn operand_count(self) -> u32 {
        assert!(self.is_user());
        // SAFETY: it has operands.
        unsafe { LLVMGetNumOperands(self.raw) as u32 }
    }

    /// An operand.
    pub fn operand(self, index: u32) -> LlvmValue<'m> {
        assert!(index < self.operand_count());
        // SAFETY: it has that operand.
        LlvmValue::known(unsafe { LLVMGetOperand(self.raw, index) })
    }

    /// The operands.
    pub fn operands(self) -> impl Iterator<Item = LlvmValue<'m>> {
        (0..self.operand_count()).map(move |i| self.operand(i))
    }
}

/// What is asked of a constant.
impl<'m> LlvmValue<'m> {
    /// The words of an integer or float constant, least significant first.
    pub fn words(self) -> Option<Vec<u64>> {
        let mut words = vec![0; 2];
        let read = match self.kind() {
            ValueKind::LLVMConstantIntValueKind => ffi::taw_int_words,
            ValueKind::LLVMConstantFPValueKind => ffi::taw_float_words,
            _ => return None,
        };
        // SAFETY: the buffer is as long as said, also the second time.
        unsafe {
            let n = read(self.raw, words.as_mut_ptr(), words.len());
            let fits = n <= words.len();
            words.resize(n, 0);
            if !fits {
                read(self.raw, words.as_mut_ptr(), n);
            }
        }
        Some(words)
    }

    /// The value of an integer constant of at most 64 bits, zero-extended.
    pub fn as_u64(self) -> Option<u64> {
        match (self.kind(), self.words()?.as_slice()) {
            (ValueKind::LLVMConstantIntValueKind, [word]) => Some(*word),
            _ => None,
        }
    }

    /// The bytes of a constant data array or vector, in the host's order.
    pub fn raw_data(self) -> Option<&'m [u8]> {
        let mut len = 0;
        // SAFETY: the bytes belong to the context, which outlives the module.
        unsafe {
            let data = ffi::taw_raw_data(self.raw, &mut len);
            (!data.is_null()).then(|| std::slice::from_raw_parts(data.cast(), len))
        }
    }

    /// An element of a constant array, structure or vector.
    pub fn aggregate_element(self, index: u32) -> Option<LlvmValue<'m>> {
        assert!(self.is_constant());
        // SAFETY: it is a constant; null if it has no such element.
        LlvmValue::new(unsafe { LLVMGetAggregateElement(self.raw, index) })
    }

    /// The function and block of a block address.
    pub fn block_address(self) -> (LlvmValue<'m>, LlvmBlock<'m>) {
        assert_eq!(self.kind(), ValueKind::LLVMBlockAddressValueKind);
        // SAFETY: it is a block address.
        unsafe {
            (
                LlvmValue::known(LLVMGetBlockAddressFunction(self.raw)),
                LlvmBlock::known(LLVMGetBlockAddressBasicBlock(self.raw)),
            )
        }
    }

    /// The text of a metadata string used as a value.
    pub fn metadata_text(self) -> Option<String> {
        if self.kind() != ValueKind::LLVMMetadataAsValueValueKind {
            return None;
        }
        let mut len = 0;
        // SAFETY: it is metadata; null if it is no string.
        unsafe {
            let data = LLVMGetMDString(self.raw, &mut len);
            (!data.is_null()).then(|| text(data, len as usize))
        }
    }
}

/// What is asked of an instruction.
impl<'m> LlvmValue<'m> {
    pub(super) fn is_call(self) -> bool {
        matches!(self.opcode(), Some(LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMCallBr))
    }

    /// What a call calls.
    pub fn callee(self) -> LlvmValue<'m> {
        assert!(self.is_call());
        // SAFETY: it is a call.
        LlvmValue::known(unsafe { LLVMGetCalledValue(self.raw) })
    }

    /// The arguments of a call.
    pub fn call_arguments(self) -> impl Iterator<Item = LlvmValue<'m>> {
        assert!(self.is_call());
        // SAFETY: it is a call. Its arguments are its first operands.
        let count = unsafe { LLVMGetNumArgOperands(self.raw) };
        (0..count).map(move |i| self.operand(i))
    }

    /// How many of the arguments of a call are named in the type of its callee, if that takes further ones.
    pub fn named_arguments(self) -> Option<u32> {
        assert!(self.is_call());
        // SAFETY: it is a call, whose callee has a function type.
        unsafe {
            let ty = LLVMGetCalledFunctionType(self.raw);
            (LLVMIsFunctionVarArg(ty) != 0).then(|| LLVMCountParamTypes(ty))
        }
    }

    /// The text and the constraints of inline assembly.
    pub fn inline_assembly(self) -> Option<(String, String)> {
        if self.kind() != ValueKind::LLVMInlineAsmValueKind {
            return None;
        }
        let (mut asm_len, mut constraint_len) = (0, 0);
        // SAFETY: it is inline assembly; the texts belong to it.
        unsafe {
            let asm = LLVMGetInlineAsmAsmString(self.raw, &mut asm_len);
            let constraints = LLVMGetInlineAsmConstraintString(self.raw, &mut constraint_len);
            Some((text(asm, asm_len), text(constraints, constraint_len)))
        }
    }

    /// Whether inline assembly is in Intel's syntax.
    pub fn is_intel_assembly(self) -> bool {
        // SAFETY: it is inline assembly.
        self.kind() == ValueKind::LLVMInlineAsmValueKind
            && unsafe { LLVMGetInlineAsmDialect(self.raw) } == LLVMInlineAsmDialect::LLVMInlineAsmDialectIntel
    }

    /// The predicate of an integer comparison.
    pub fn int_predicate(self) -> IntPredicate {
        assert!(self.is(LLVMOpcode::LLVMICmp));
        // SAFETY: it is an integer comparison.
        unsafe { LLVMGetICmpPredicate(self.raw) }
    }

    /// The predicate of a float comparison.
    pub fn float_predicate(self) -> FloatPredicate {
        assert!(self.is(LLVMOpcode::LLVMFCmp));
        // SAFETY: it is a float comparison.
        unsafe { LLVMGetFCmpPredicate(self.raw) }
    }

    /// Whether signed and unsigned wrap are promised away, in this order.
    pub fn no_wrap(self) -> (bool, bool) {
        let wraps = matches!(
            self.opcode(),
            Some(LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMMul | LLVMOpcode::LLVMShl)
        );
        if !wraps {
            return (false, false);
        }
        // SAFETY: it is an operation that can wrap.
        unsafe { (LLVMGetNSW(self.raw) != 0, LLVMGetNUW(self.raw) != 0) }
    }

    /// The type that the first index of an address computation counts in.
    pub fn gep_type(self) -> LlvmType<'m> {
        assert!(self.is(LLVMOpcode::LLVMGetElementPtr));
        // SAFETY: it is an address computation.
        LlvmType::new(unsafe { LLVMGetGEPSourceElementType(self.raw) })
    }

    /// The type that an alloca makes room for.
    pub fn allocated_type(self) -> LlvmType<'m> {
        assert!(self.is(LLVMOpcode::LLVMAlloca));
        // SAFETY: it is an alloca.
        LlvmType::new(unsafe { LLVMGetAllocatedType(self.raw) })
    }

    /// The path of `extractvalue` or `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        assert!(self.is(LLVMOpcode::LLVMExtractValue) || self.is(LLVMOpcode::LLVMInsertValue));
        // SAFETY: it is one of the two; the array belongs to it.
        unsafe { std::slice::from_raw_parts(LLVMGetIndices(self.raw), LLVMGetNumIndices(self.raw) as usize).to_vec() }
    }

    /// The lanes that `shufflevector` picks; `None` for no particular one.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        assert!(self.is(LLVMOpcode::LLVMShuffleVector));
        // SAFETY: it is a shuffle, and the index is below the number of lanes.
        unsafe {
            let lanes = LLVMGetNumMaskElements(self.raw);
            (0..lanes).map(|i| u32::try_from(LLVMGetMaskValue(self.raw, i)).ok()).collect()
        }
    }

    /// The operation of `atomicrmw`.
    pub fn rmw_op(self) -> RmwOp {
        assert!(self.is(LLVMOpcode::LLVMAtomicRMW));
        // SAFETY: it is that.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw) }
    }

    /// The values of a phi, each with the block it comes from.
    pub fn incoming(self) -> impl Iterator<Item = (LlvmValue<'m>, LlvmBlock<'m>)> {
        assert!(self.is(LLVMOpcode::LLVMPHI));
        // SAFETY: it is a phi, and the index is below its number of values.
        unsafe {
            (0..LLVMCountIncoming(self.raw)).map(move |i| {
                (
                    LlvmValue::known(LLVMGetIncomingValue(self.raw, i)),
                    LlvmBlock::known(LLVMGetIncomingBlock(self.raw, i)),
                )
            })
        }
    }

    /// The blocks a terminator may go to.
    pub fn successors(self) -> impl Iterator<Item = LlvmBlock<'m>> {
        // SAFETY: `LLVMIsATerminatorInst` accepts any value; successors are asked of terminators only.
        unsafe {
            let terminator = !LLVMIsATerminatorInst(self.raw).is_null();
            let count = if terminator { LLVMGetNumSuccessors(self.raw) } else { 0 };
            (0..count).map(move |i| LlvmBlock::known(LLVMGetSuccessor(self.raw, i)))
        }
    }

    /// The cases of a switch.
    pub fn switch_cases(self) -> impl Iterator<Item = (LlvmValue<'m>, LlvmBlock<'m>)> {
        assert!(self.is(LLVMOpcode::LLVMSwitch));
        (0..).map_while(move |i| {
            let mut to = std::ptr::null_mut();
            // SAFETY: it is a switch; null past the last case.
            let value = LlvmValue::new(unsafe { ffi::taw_switch_case(self.raw, i, &mut to) })?;
            Some((value, LlvmBlock::known(to)))
        })
    }
}

impl<'m> LlvmBlock<'m> {
    pub(super) fn raw(self) -> LLVMBasicBlockRef {
        self.raw
    }

    pub(super) fn new(raw: LLVMBasicBlockRef) -> Option<Self> {
        (!raw.is_null()).then_some(LlvmBlock { raw, of: PhantomData })
    }

    fn known(raw: LLVMBasicBlockRef) -> Self {
        Self::new(raw).expect("LLVM has a block here")
    }

    /// Its instructions.
    pub fn instructions(self) -> impl Iterator<Item = LlvmValue<'m>> {
        // SAFETY: the block lives as long as its module; the list is that of its instructions.
        unsafe { chain(LLVMGetFirstInstruction(self.raw), |v| LLVMGetNextInstruction(v)) }
    }

    /// Its last instruction.
    pub fn terminator(self) -> Option<LlvmValue<'m>> {
        // SAFETY: as above.
        LlvmValue::new(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }
}
