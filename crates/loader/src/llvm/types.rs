//! Types.

use std::marker::PhantomData;

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::Of;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LlvmType<'m> {
    raw: LLVMTypeRef,
    of: Of<'m>,
}

/// What a type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LlvmTypeKind {
    /// No value.
    Void,
    /// IEEE half.
    Half,
    /// Brain float.
    BFloat,
    /// IEEE single.
    Float,
    /// IEEE double.
    Double,
    /// x87 extended.
    X86Fp80,
    /// IEEE quadruple.
    Fp128,
    /// Double double.
    PpcFp128,
    /// Integer of a width.
    Int(u32),
    /// A pointer, to whatever.
    Pointer,
    /// A structure, packed or not.
    Struct,
    /// An array of fixed length.
    Array,
    /// Vector of fixed length.
    Vector,
    /// The type of a function.
    Function,
    /// Metadata, label or token: no data.
    Abstract,
    /// Vector of unknown length, target's own types: cannot be split.
    Opaque,
}

impl<'m> LlvmType<'m> {
    pub(super) fn new(raw: LLVMTypeRef) -> Self {
        debug_assert!(!raw.is_null());
        LlvmType { raw, of: PhantomData }
    }

    pub(super) fn raw(self) -> LLVMTypeRef {
        self.raw
    }

    /// What it is.
    pub fn kind(self) -> LlvmTypeKind {
        // SAFETY: the type lives as long as its module.
        match unsafe { LLVMGetTypeKind(self.raw) } {
            LLVMTypeKind::LLVMVoidTypeKind => LlvmTypeKind::Void,
            LLVMTypeKind::LLVMHalfTypeKind => LlvmTypeKind::Half,
            LLVMTypeKind::LLVMBFloatTypeKind => LlvmTypeKind::BFloat,
            LLVMTypeKind::LLVMFloatTypeKind => LlvmTypeKind::Float,
            LLVMTypeKind::LLVMDoubleTypeKind => LlvmTypeKind::Double,
            LLVMTypeKind::LLVMX86_FP80TypeKind => LlvmTypeKind::X86Fp80,
            LLVMTypeKind::LLVMFP128TypeKind => LlvmTypeKind::Fp128,
            LLVMTypeKind::LLVMPPC_FP128TypeKind => LlvmTypeKind::PpcFp128,
            // SAFETY: it is an integer type.
            LLVMTypeKind::LLVMIntegerTypeKind => LlvmTypeKind::Int(unsafe { LLVMGetIntTypeWidth(self.raw) }),
            LLVMTypeKind::LLVMPointerTypeKind => LlvmTypeKind::Pointer,
            LLVMTypeKind::LLVMStructTypeKind => LlvmTypeKind::Struct,
            LLVMTypeKind::LLVMArrayTypeKind => LlvmTypeKind::Array,
            LLVMTypeKind::LLVMVectorTypeKind => LlvmTypeKind::Vector,
            LLVMTypeKind::LLVMFunctionTypeKind => LlvmTypeKind::Function,
            LLVMTypeKind::LLVMMetadataTypeKind | LLVMTypeKind::LLVMLabelTypeKind | LLVMTypeKind::LLVMTokenTypeKind => {
                LlvmTypeKind::Abstract
            }
            LLVMTypeKind::LLVMScalableVectorTypeKind
            | LLVMTypeKind::LLVMX86_AMXTypeKind
            | LLVMTypeKind::LLVMTargetExtTypeKind => LlvmTypeKind::Opaque,
        }
    }

    /// Whether it has a size.
    pub fn is_sized(self) -> bool {
        // SAFETY: as above.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// Number of elements of an array or vector, or of fields of a structure.
    pub fn count(self) -> u64 {
        // SAFETY: each call is made for its kind of type only.
        unsafe {
            match self.kind() {
                LlvmTypeKind::Array => LLVMGetArrayLength2(self.raw),
                LlvmTypeKind::Vector => u64::from(LLVMGetVectorSize(self.raw)),
                LlvmTypeKind::Struct => u64::from(LLVMCountStructElementTypes(self.raw)),
                _ => 0,
            }
        }
    }

    /// The type of element or field `index`. Panics if it has no such.
    pub fn element(self, index: u32) -> LlvmType<'m> {
        match self.kind() {
            // SAFETY: it is an array or vector.
            LlvmTypeKind::Array | LlvmTypeKind::Vector => LlvmType::new(unsafe { LLVMGetElementType(self.raw) }),
            LlvmTypeKind::Struct => {
                assert!(u64::from(index) < self.count());
                // SAFETY: the structure has that field.
                LlvmType::new(unsafe { LLVMStructGetTypeAtIndex(self.raw, index) })
            }
            other => panic!("a type of kind {other:?} has no elements"),
        }
    }

    /// The result of a function type.
    pub fn result(self) -> LlvmType<'m> {
        assert_eq!(self.kind(), LlvmTypeKind::Function);
        // SAFETY: it is a function type.
        LlvmType::new(unsafe { LLVMGetReturnType(self.raw) })
    }

    /// Whether a function type takes further arguments.
    pub fn is_variadic(self) -> bool {
        assert_eq!(self.kind(), LlvmTypeKind::Function);
        // SAFETY: it is a function type.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }
}
