//! Sizes and alignments of types.

use std::marker::PhantomData;

use llvm_sys::core::LLVMStructGetTypeAtIndex;
use llvm_sys::target::*;

use super::{LlvmType, LlvmTypeKind, Of};

/// A module's data layout.
#[derive(Clone, Copy)]
pub struct DataLayout<'m> {
    raw: LLVMTargetDataRef,
    of: Of<'m>,
}

impl<'m> DataLayout<'m> {
    pub(super) fn new(raw: LLVMTargetDataRef) -> Self {
        DataLayout { raw, of: PhantomData }
    }

    /// Width of a plain pointer in bits.
    pub fn pointer_bits(self) -> u32 {
        // SAFETY: the layout lives as long as its module.
        unsafe { LLVMPointerSize(self.raw) * 8 }
    }

    /// Whether the most significant byte comes first.
    pub fn big_endian(self) -> bool {
        // SAFETY: as above.
        unsafe { LLVMByteOrder(self.raw) == LLVMByteOrdering::LLVMBigEndian }
    }

    /// Size in bits, without padding.
    pub fn bits(self, ty: LlvmType<'m>) -> u64 {
        assert!(ty.is_sized());
        // SAFETY: the type is sized.
        unsafe { LLVMSizeOfTypeInBits(self.raw, ty.raw()) }
    }

    /// Distance in bytes between elements of an array of the type.
    pub fn alloc_bytes(self, ty: LlvmType<'m>) -> u64 {
        assert!(ty.is_sized());
        // SAFETY: the type is sized.
        unsafe { LLVMABISizeOfType(self.raw, ty.raw()) }
    }

    /// Alignment in bytes as the ABI wants it.
    pub fn align(self, ty: LlvmType<'m>) -> u64 {
        assert!(ty.is_sized());
        // SAFETY: the type is sized.
        unsafe { u64::from(LLVMABIAlignmentOfType(self.raw, ty.raw())) }
    }

    /// Alignment in bytes that a global of the type gets.
    pub fn preferred_align(self, global: super::LlvmValue<'m>) -> u64 {
        assert!(global.is_global_variable());
        // SAFETY: it is a global variable.
        unsafe { u64::from(LLVMPreferredAlignmentOfGlobal(self.raw, global.raw())) }
    }

    /// Where a field of a structure starts, in bytes.
    pub fn offset(self, ty: LlvmType<'m>, field: u32) -> u64 {
        assert!(ty.kind() == LlvmTypeKind::Struct && ty.is_sized() && field < ty.count() as u32);
        // SAFETY: it is a sized structure with that field.
        unsafe {
            debug_assert!(!LLVMStructGetTypeAtIndex(ty.raw(), field).is_null());
            LLVMOffsetOfElement(self.raw, ty.raw(), field)
        }
    }
}
