//! A thin safe layer over LLVM: contexts, modules, types, values, debug information.
//!
//! Boundary: the only place of `unsafe` in the loader; no lowering here. Soundness: a [`Module`] borrows its [`LlvmContext`],
//! and every type, value and metadata node borrows the module it was reached from, which is not changed while they live
//! (changing needs `&mut`). Accessors that LLVM defines for one kind of value only assert that kind.
#![expect(unsafe_code, reason = "the foreign function interface to LLVM")]

mod debug;
mod ffi;
mod global;
mod layout;
mod types;
mod value;

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::sync::Once;

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMDiagnosticSeverity, target};

pub use debug::{DebugFile, DebugNode, Declares, Location};
pub use global::AttributeKinds;
pub use layout::DataLayout;
pub use llvm_sys::LLVMAtomicRMWBinOp as RmwOp;
pub use llvm_sys::LLVMIntPredicate as IntPredicate;
pub use llvm_sys::LLVMOpcode as Opcode;
pub use llvm_sys::LLVMRealPredicate as FloatPredicate;
pub use types::{LlvmType, LlvmTypeKind};
pub use value::{LlvmBlock, LlvmValue, ValueKind};

/// The version of the LLVM library that is linked.
pub fn version() -> String {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: writes three integers.
    unsafe { LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    format!("{major}.{minor}.{patch}")
}

/// Owns everything LLVM makes; collects what LLVM has to say instead of letting it print or exit.
pub struct LlvmContext {
    raw: LLVMContextRef,
    /// Boxed: LLVM holds its address.
    said: Box<RefCell<Vec<String>>>,
}

impl LlvmContext {
    /// An empty context.
    pub fn new() -> Self {
        static PREPARED: Once = Once::new();
        // SAFETY: sets an option of LLVM, once, before any module is read.
        PREPARED.call_once(|| unsafe { ffi::taw_prepare() });
        let said = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the handler gets the address of `said`, which lives as long as the context (see `drop`).
        let raw = unsafe {
            let raw = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(raw, Some(collect), (&raw const *said).cast_mut().cast());
            LLVMContextSetDiscardValueNames(raw, 0);
            raw
        };
        LlvmContext { raw, said }
    }

    /// The errors LLVM has reported since the last call.
    pub fn take_errors(&self) -> Vec<String> {
        self.said.take()
    }

    /// Parses bitcode or textual IR; LLVM's message if it is neither.
    pub fn read(&self, name: &str, data: &[u8], bitcode: bool) -> Result<Module<'_>, String> {
        let name = c_string(name);
        let mut error = std::ptr::null_mut();
        // LLVM's assembly reader wants a zero after the text.
        let mut owned = Vec::new();
        let start = if bitcode {
            data.as_ptr()
        } else {
            owned.reserve(data.len() + 1);
            owned.extend_from_slice(data);
            owned.push(0);
            owned.as_ptr()
        };
        // SAFETY: the buffer is readable for `len` bytes (and a zero for text) during the call; nothing of it is kept.
        let raw =
            unsafe { ffi::taw_read(self.raw, start.cast(), data.len(), name.as_ptr(), i32::from(bitcode), &mut error) };
        self.finish(raw, error)
    }

    /// Parses the declarations of a bitcode module; bodies are parsed when linking needs them.
    pub fn read_lazily(&self, name: &str, data: &'static [u8]) -> Result<Module<'_>, String> {
        let name = c_string(name);
        let mut error = std::ptr::null_mut();
        // SAFETY: the data outlives everything.
        let raw =
            unsafe { ffi::taw_read_lazily(self.raw, data.as_ptr().cast(), data.len(), name.as_ptr(), &mut error) };
        self.finish(raw, error)
    }

    fn finish(&self, raw: LLVMModuleRef, error: *mut c_char) -> Result<Module<'_>, String> {
        if raw.is_null() {
            let said = self.take_errors();
            let error = message(error).unwrap_or_default();
            return Err(if error.is_empty() { said.join("; ") } else { error });
        }
        Ok(Module { raw, context: self })
    }
}

impl Drop for LlvmContext {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

extern "C" fn collect(diagnostic: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    // SAFETY: LLVM passes what `LlvmContext::new` gave it and a diagnostic that lives during the call.
    unsafe {
        if LLVMGetDiagInfoSeverity(diagnostic) == LLVMDiagnosticSeverity::LLVMDSError {
            let sink = &*sink.cast::<RefCell<Vec<String>>>();
            sink.borrow_mut().extend(message(LLVMGetDiagInfoDescription(diagnostic)));
        }
    }
}

/// Who made some bitcode, as `LLVM22.1.8`.
pub fn producer(data: &[u8]) -> Option<String> {
    // SAFETY: the data is readable during the call.
    message(unsafe { ffi::taw_producer(data.as_ptr().cast(), data.len()) })
}

/// Takes a message that LLVM allocated.
fn message(raw: *mut c_char) -> Option<String> {
    if raw.is_null() {
        return None;
    }
    // SAFETY: messages are zero-terminated and ours to free.
    unsafe {
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeMessage(raw);
        Some(text)
    }
}

/// A zero-terminated copy; what follows a zero byte inside is cut off.
fn c_string(text: &str) -> CString {
    let end = text.bytes().position(|b| b == 0).unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Copies a text that LLVM owns.
///
/// # Safety
/// `data` must be null or readable for `len` bytes.
unsafe fn text(data: *const c_char, len: usize) -> String {
    if data.is_null() || len == 0 {
        return String::new();
    }
    // SAFETY: as the caller promises.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// A module.
pub struct Module<'c> {
    raw: LLVMModuleRef,
    context: &'c LlvmContext,
}

impl<'c> Module<'c> {
    /// LLVM's complaints if the module is not well-formed.
    pub fn verify(&self) -> Result<(), String> {
        let mut out = std::ptr::null_mut();
        // SAFETY: `ReturnStatus` neither prints nor aborts.
        let broken = unsafe { LLVMVerifyModule(self.raw, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut out) };
        let reason = message(out).unwrap_or_default();
        if broken == 0 { Ok(()) } else { Err(reason) }
    }

    /// Adds all of `other`, or with `only_needed` what is referenced here and not defined.
    pub fn link(&mut self, other: Module<'c>, only_needed: bool) -> Result<(), String> {
        let raw = other.raw;
        // LLVM consumes it, also on failure.
        std::mem::forget(other);
        // SAFETY: both are modules of one context; `self` is borrowed exclusively, so no value of it is held.
        let failed = unsafe { ffi::taw_link(self.raw, raw, i32::from(only_needed)) };
        let said = self.context.take_errors();
        if failed == 0 { Ok(()) } else { Err(said.join("; ")) }
    }

    /// The target triple; may be empty.
    pub fn triple(&self) -> String {
        // SAFETY: the text belongs to the module and ends in zero.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.raw)).to_string_lossy().into_owned() }
    }

    /// The data layout in LLVM's notation; may be empty.
    pub fn layout_text(&self) -> String {
        // SAFETY: the text belongs to the module and ends in zero.
        unsafe { CStr::from_ptr(LLVMGetDataLayoutStr(self.raw)).to_string_lossy().into_owned() }
    }

    /// Gives a module that does not say what it is for the target of another.
    pub fn target_like(&mut self, other: &Module<'_>) {
        let (layout, triple) = (c_string(&other.layout_text()), c_string(&other.triple()));
        // SAFETY: LLVM copies both texts.
        unsafe {
            LLVMSetDataLayout(self.raw, layout.as_ptr());
            LLVMSetTarget(self.raw, triple.as_ptr());
        }
    }

    /// The data layout.
    pub fn layout(&self) -> DataLayout<'_> {
        // SAFETY: it belongs to the module.
        DataLayout::new(unsafe { target::LLVMGetModuleDataLayout(self.raw) })
    }

    /// Functions, in order.
    pub fn functions(&self) -> impl Iterator<Item = LlvmValue<'_>> {
        // SAFETY: walks the module's list.
        unsafe { chain(LLVMGetFirstFunction(self.raw), |v| LLVMGetNextFunction(v)) }
    }

    /// Global variables, in order.
    pub fn globals(&self) -> impl Iterator<Item = LlvmValue<'_>> {
        // SAFETY: walks the module's list.
        unsafe { chain(LLVMGetFirstGlobal(self.raw), |v| LLVMGetNextGlobal(v)) }
    }

    /// Aliases, in order.
    pub fn aliases(&self) -> impl Iterator<Item = LlvmValue<'_>> {
        // SAFETY: walks the module's list.
        unsafe { chain(LLVMGetFirstGlobalAlias(self.raw), |v| LLVMGetNextGlobalAlias(v)) }
    }

    /// Indirect functions, in order.
    pub fn ifuncs(&self) -> impl Iterator<Item = LlvmValue<'_>> {
        // SAFETY: walks the module's list.
        unsafe { chain(LLVMGetFirstGlobalIFunc(self.raw), |v| LLVMGetNextGlobalIFunc(v)) }
    }

    /// Declares variables that hold a pointer, if no symbol has the name yet.
    pub fn declare_pointers(&mut self, names: &[&str]) {
        for name in names {
            let name = c_string(name);
            // SAFETY: names are looked up in this module; adding a declaration changes no existing value.
            unsafe {
                let free = LLVMGetNamedFunction(self.raw, name.as_ptr()).is_null()
                    && LLVMGetNamedGlobal(self.raw, name.as_ptr()).is_null();
                if free {
                    let pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(self.raw), 0);
                    LLVMAddGlobal(self.raw, pointer, name.as_ptr());
                }
            }
        }
    }

    /// Declares functions with the type of an existing one (`sin`, `llvm.sin.f64`), if no symbol has the name yet.
    pub fn declare(&mut self, functions: &[(String, String)]) {
        for (name, like) in functions {
            let (name, like) = (c_string(name), c_string(like));
            // SAFETY: names are looked up in this module; adding a declaration changes no existing value.
            unsafe {
                let like = LLVMGetNamedFunction(self.raw, like.as_ptr());
                let free = LLVMGetNamedFunction(self.raw, name.as_ptr()).is_null()
                    && LLVMGetNamedGlobal(self.raw, name.as_ptr()).is_null();
                if free && !like.is_null() {
                    LLVMAddFunction(self.raw, name.as_ptr(), LLVMGlobalGetValueType(like));
                }
            }
        }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: it is ours, and values borrow it, so none is left.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}

/// The values of an intrusive list.
///
/// # Safety
/// `first` and what `next` gives must be null or values that live for `'m`.
unsafe fn chain<'m>(
    first: LLVMValueRef,
    next: unsafe fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = LlvmValue<'m>> {
    // SAFETY: as the caller promises.
    std::iter::successors(LlvmValue::new(first), move |v| LlvmValue::new(unsafe { next(v.raw()) }))
}

/// Ties a raw handle to the module it was reached from.
type Of<'m> = PhantomData<&'m ()>;
