//! Functions, global variables and aliases, and the attributes of functions and calls.

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage, LLVMOpcode};

use super::{LlvmBlock, LlvmType, LlvmValue, ValueKind, chain};

/// The numbers LLVM has given to the attributes that matter.
#[derive(Clone, Copy)]
pub struct AttributeKinds {
    byval: u32,
    align: u32,
    noreturn: u32,
    optnone: u32,
    sret: u32,
    signext: u32,
    zeroext: u32,
    dereferenceable: u32,
}

impl AttributeKinds {
    /// Asks LLVM.
    pub fn new() -> Self {
        // SAFETY: looks up a name in a fixed table.
        let kind = |name: &str| unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        AttributeKinds {
            byval: kind("byval"),
            align: kind("align"),
            noreturn: kind("noreturn"),
            optnone: kind("optnone"),
            sret: kind("sret"),
            signext: kind("signext"),
            zeroext: kind("zeroext"),
            dereferenceable: kind("dereferenceable"),
        }
    }
}

/// Where an attribute stands.
#[derive(Clone, Copy)]
enum AttributePlace {
    Function,
    Param(u32),
}

impl AttributePlace {
    fn index(self) -> u32 {
        match self {
            AttributePlace::Function => LLVMAttributeFunctionIndex,
            AttributePlace::Param(i) => i + 1,
        }
    }
}

/// Functions, globals, aliases.
impl<'m> LlvmValue<'m> {
    fn is_global_value(self) -> bool {
        // SAFETY: the value lives as long as its module.
        unsafe { !LLVMIsAGlobalValue(self.raw()).is_null() }
    }

    /// The type of what a function or global is, not the pointer to it.
    pub fn value_type(self) -> LlvmType<'m> {
        assert!(self.is_global_value());
        // SAFETY: it is a global value.
        LlvmType::new(unsafe { LLVMGlobalGetValueType(self.raw()) })
    }

    /// Whether it is declared only.
    pub fn is_declaration(self) -> bool {
        assert!(self.is_global_value());
        // SAFETY: it is a global value.
        unsafe { LLVMIsDeclaration(self.raw()) != 0 }
    }

    /// Whether it may be missing, and then has the address null.
    pub fn is_extern_weak(self) -> bool {
        assert!(self.is_global_value());
        // SAFETY: it is a global value.
        unsafe { LLVMGetLinkage(self.raw()) == LLVMLinkage::LLVMExternalWeakLinkage }
    }

    /// Whether no other file can name it.
    pub fn is_internal(self) -> bool {
        assert!(self.is_global_value());
        // SAFETY: it is a global value.
        let linkage = unsafe { LLVMGetLinkage(self.raw()) };
        matches!(linkage, LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    /// The section it is put in; may be empty.
    pub fn section(self) -> String {
        assert!(self.is_global_value());
        // SAFETY: it is a global value; the text ends in zero.
        unsafe {
            let data = LLVMGetSection(self.raw());
            if data.is_null() { String::new() } else { std::ffi::CStr::from_ptr(data).to_string_lossy().into_owned() }
        }
    }

    /// Alignment of a global variable, alloca, load or store, in bytes; 0 if not given.
    pub fn alignment(self) -> u64 {
        let has = self.is_global_variable()
            || self.is_function()
            || matches!(self.opcode(), Some(LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore));
        assert!(has);
        // SAFETY: it is of a kind that has an alignment.
        u64::from(unsafe { LLVMGetAlignment(self.raw()) })
    }

    /// The initial value of a global variable that is defined.
    pub fn initializer(self) -> Option<LlvmValue<'m>> {
        assert!(self.is_global_variable());
        // SAFETY: it is a global variable.
        LlvmValue::new(unsafe { LLVMGetInitializer(self.raw()) })
    }

    /// Whether a global variable is never written.
    pub fn is_global_constant(self) -> bool {
        assert!(self.is_global_variable());
        // SAFETY: it is a global variable.
        unsafe { LLVMIsGlobalConstant(self.raw()) != 0 }
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> LlvmValue<'m> {
        assert_eq!(self.kind(), ValueKind::LLVMGlobalAliasValueKind);
        // SAFETY: it is an alias.
        LlvmValue::known(unsafe { LLVMAliasGetAliasee(self.raw()) })
    }

    /// The name of an intrinsic without the types it is overloaded on: `llvm.memcpy`.
    pub fn intrinsic(self) -> Option<&'static str> {
        assert!(self.is_function());
        // SAFETY: it is a function; names of intrinsics are static.
        unsafe {
            let id = LLVMGetIntrinsicID(self.raw());
            if id == 0 {
                return None;
            }
            let mut len = 0;
            let data = LLVMIntrinsicGetName(id, &mut len);
            std::str::from_utf8(std::slice::from_raw_parts(data.cast(), len)).ok()
        }
    }

    /// The arguments of a function.
    pub fn arguments(self) -> impl Iterator<Item = LlvmValue<'m>> {
        assert!(self.is_function());
        // SAFETY: it is a function; the list is that of its arguments.
        unsafe { chain(LLVMGetFirstParam(self.raw()), |v| LLVMGetNextParam(v)) }
    }

    /// The blocks of a function, the entry first.
    pub fn blocks(self) -> impl Iterator<Item = LlvmBlock<'m>> {
        assert!(self.is_function());
        // SAFETY: it is a function; the list is that of its blocks.
        unsafe {
            std::iter::successors(LlvmBlock::new(LLVMGetFirstBasicBlock(self.raw())), |b| {
                LlvmBlock::new(LLVMGetNextBasicBlock(b.raw()))
            })
        }
    }
}

/// Attributes of functions and calls.
impl<'m> LlvmValue<'m> {
    fn attribute(self, place: AttributePlace, kind: u32) -> Option<LLVMAttributeRef> {
        // SAFETY: each call is made for its kind of value only.
        let found = unsafe {
            if self.is_function() {
                LLVMGetEnumAttributeAtIndex(self.raw(), place.index(), kind)
            } else {
                assert!(self.is_call());
                LLVMGetCallSiteEnumAttribute(self.raw(), place.index(), kind)
            }
        };
        (!found.is_null()).then_some(found)
    }

    /// The type that a parameter (of a function) or argument (of a call) passes by copy, and the alignment if given.
    pub fn byval(self, index: u32, kinds: AttributeKinds) -> Option<(LlvmType<'m>, Option<u64>)> {
        let byval = self.attribute(AttributePlace::Param(index), kinds.byval)?;
        let align = self.attribute(AttributePlace::Param(index), kinds.align);
        // SAFETY: `byval` carries a type, `align` a number.
        unsafe {
            let ty = LlvmType::new(LLVMGetTypeAttributeValue(byval));
            Some((ty, align.map(|a| LLVMGetEnumAttributeValue(a))))
        }
    }

    /// Whether a parameter points at the place for the result.
    pub fn is_sret(self, index: u32, kinds: AttributeKinds) -> bool {
        self.attribute(AttributePlace::Param(index), kinds.sret).is_some()
    }

    /// How many bytes callers promise behind a parameter.
    pub fn dereferenceable(self, index: u32, kinds: AttributeKinds) -> Option<u64> {
        let attribute = self.attribute(AttributePlace::Param(index), kinds.dereferenceable)?;
        // SAFETY: it carries a number.
        Some(unsafe { LLVMGetEnumAttributeValue(attribute) })
    }

    /// Whether a parameter is widened by its sign when it is passed.
    pub fn is_sign_extended(self, index: u32, kinds: AttributeKinds) -> bool {
        self.attribute(AttributePlace::Param(index), kinds.signext).is_some()
    }

    /// Whether a parameter is widened by zeros when it is passed.
    pub fn is_zero_extended(self, index: u32, kinds: AttributeKinds) -> bool {
        self.attribute(AttributePlace::Param(index), kinds.zeroext).is_some()
    }

    /// Whether the compiler was told not to optimise the function (`clang -O0`).
    pub fn is_optnone(self, kinds: AttributeKinds) -> bool {
        self.attribute(AttributePlace::Function, kinds.optnone).is_some()
    }

    /// Whether a function never returns.
    pub fn is_noreturn(self, kinds: AttributeKinds) -> bool {
        self.attribute(AttributePlace::Function, kinds.noreturn).is_some()
    }
}
