//! Declarations of `shim.cpp`. Every text that comes back as `*const` belongs to the module, every `*mut` to the caller
//! (to be freed with `LLVMDisposeMessage`).

use std::ffi::{c_char, c_int, c_uint};

use llvm_sys::prelude::*;

unsafe extern "C" {
    /// Makes the reader leave verification to the caller, for the whole process.
    pub fn taw_prepare();
    /// The words of an integer constant, least significant first; returns how many there are (0: it is none).
    pub fn taw_int_words(value: LLVMValueRef, out: *mut u64, room: usize) -> usize;
    /// The words of a float constant's bits, least significant first; returns how many there are (0: it is none).
    pub fn taw_float_words(value: LLVMValueRef, out: *mut u64, room: usize) -> usize;
    /// The bytes of a constant data array or vector, in the host's order; null if it is none.
    pub fn taw_raw_data(value: LLVMValueRef, len: *mut usize) -> *const c_char;
    /// Parses a module; null and an error message on failure. `name` must end in a zero byte.
    pub fn taw_read(
        context: LLVMContextRef,
        data: *const c_char,
        len: usize,
        name: *const c_char,
        bitcode: c_int,
        error: *mut *mut c_char,
    ) -> LLVMModuleRef;
    /// As `taw_read` for bitcode, but function bodies are read when first needed: `data` must outlive the module.
    pub fn taw_read_lazily(
        context: LLVMContextRef,
        data: *const c_char,
        len: usize,
        name: *const c_char,
        error: *mut *mut c_char,
    ) -> LLVMModuleRef;
    /// Who made the bitcode; null if it does not say.
    pub fn taw_producer(data: *const c_char, len: usize) -> *mut c_char;
    /// Links `from`, which is consumed, into `into`. Not zero on failure, which the context's handler was told.
    pub fn taw_link(into: LLVMModuleRef, from: LLVMModuleRef, only_needed: c_int) -> c_int;
    /// The value and the destination of a switch's case; null if there is none.
    pub fn taw_switch_case(value: LLVMValueRef, index: c_uint, to: *mut LLVMBasicBlockRef) -> LLVMValueRef;

    /// The function a scope belongs to.
    pub fn taw_di_subprogram(scope: LLVMMetadataRef) -> LLVMMetadataRef;
    /// The name of a function, variable or type.
    pub fn taw_di_name(node: LLVMMetadataRef, len: *mut usize) -> *const c_char;
    /// The DWARF tag.
    pub fn taw_di_tag(node: LLVMMetadataRef) -> c_uint;
    /// The type that a type is derived from; the type of a variable or function.
    pub fn taw_di_base(node: LLVMMetadataRef) -> LLVMMetadataRef;
    /// The file of a scope; null if what stands in its place is none.
    pub fn taw_di_file(scope: LLVMMetadataRef) -> LLVMMetadataRef;
    /// Where a function or variable is declared.
    pub fn taw_di_line(node: LLVMMetadataRef, file: *mut LLVMMetadataRef) -> c_uint;
    /// Which parameter a local variable is, from 1; 0 if none.
    pub fn taw_di_argument(node: LLVMMetadataRef) -> c_uint;
    /// How many parts a function type (the result first) or composite type has.
    pub fn taw_di_count(node: LLVMMetadataRef) -> c_uint;
    /// A part of a function type or composite type.
    pub fn taw_di_element(node: LLVMMetadataRef, index: c_uint) -> LLVMMetadataRef;
    /// Size of a type, and offset of a member in its structure, in bits.
    pub fn taw_di_size(node: LLVMMetadataRef, offset: *mut u64) -> u64;
    /// The encoding of a basic type.
    pub fn taw_di_encoding(node: LLVMMetadataRef) -> c_uint;
    /// 1: only declared; 2: a bit field; 4: a static member.
    pub fn taw_di_flags(node: LLVMMetadataRef) -> c_uint;
    /// The value of an enumerator.
    pub fn taw_di_enumerator(node: LLVMMetadataRef) -> i64;
    /// The number of elements of an array's dimension; -1 if unknown.
    pub fn taw_di_subrange(node: LLVMMetadataRef) -> i64;
    /// The source variable of a global.
    pub fn taw_di_global(value: LLVMValueRef) -> LLVMMetadataRef;
    /// Whether an expression is empty.
    pub fn taw_di_plain(node: LLVMMetadataRef) -> c_int;
    /// The parts of a debug record: 1 if `value` is the variable's address, 2 if its value, 0 if neither.
    pub fn taw_dbg_record(
        record: LLVMDbgRecordRef,
        value: *mut LLVMValueRef,
        variable: *mut LLVMMetadataRef,
        expression: *mut LLVMMetadataRef,
    ) -> c_int;
}
