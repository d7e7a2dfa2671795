//! Debug information: source places, variables, types.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::{LlvmValue, Of, ffi, text};

/// A node of the debug information: function, variable or type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DebugNode<'m> {
    raw: LLVMMetadataRef,
    of: Of<'m>,
}

/// A source place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Location<'m> {
    raw: LLVMMetadataRef,
    of: Of<'m>,
}

/// A source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DebugFile<'m> {
    raw: LLVMMetadataRef,
    of: Of<'m>,
}

impl<'m> DebugFile<'m> {
    fn new(raw: LLVMMetadataRef) -> Option<Self> {
        (!raw.is_null()).then_some(DebugFile { raw, of: PhantomData })
    }

    /// Folder and name.
    pub fn names(self) -> (String, String) {
        let (mut dir_len, mut name_len) = (0, 0);
        // SAFETY: only `Location::file` and `DebugNode::declared` make files; the texts belong to the context.
        unsafe {
            let dir = LLVMDIFileGetDirectory(self.raw, &mut dir_len);
            let name = LLVMDIFileGetFilename(self.raw, &mut name_len);
            (text(dir, dir_len as usize), text(name, name_len as usize))
        }
    }
}

/// How a debug record ties a value to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declares {
    /// The value is the variable's address.
    Address,
    /// The value is the variable's.
    Value,
    /// The variable is computed from the value.
    Otherwise,
}

impl<'m> Location<'m> {
    fn new(raw: LLVMMetadataRef) -> Option<Self> {
        (!raw.is_null()).then_some(Location { raw, of: PhantomData })
    }

    /// Line; 0 if none.
    pub fn line(self) -> u32 {
        // SAFETY: only `LlvmValue::location` and `inlined_at` make locations.
        unsafe { LLVMDILocationGetLine(self.raw) }
    }

    /// Column; 0 if none.
    pub fn column(self) -> u32 {
        // SAFETY: as above.
        unsafe { LLVMDILocationGetColumn(self.raw) }
    }

    /// The file it is in.
    pub fn file(self) -> Option<DebugFile<'m>> {
        // SAFETY: the scope of a location is a local scope, never null; the shim checks the kind of its file.
        DebugFile::new(unsafe { ffi::taw_di_file(LLVMDILocationGetScope(self.raw)) })
    }

    /// The function it is in.
    pub fn function(self) -> Option<DebugNode<'m>> {
        // SAFETY: as above; the shim checks the kind of node.
        DebugNode::new(unsafe { ffi::taw_di_subprogram(LLVMDILocationGetScope(self.raw)) })
    }

    /// Where its function was inlined.
    pub fn inlined_at(self) -> Option<Location<'m>> {
        // SAFETY: as above.
        Location::new(unsafe { LLVMDILocationGetInlinedAt(self.raw) })
    }
}

impl<'m> DebugNode<'m> {
    fn new(raw: LLVMMetadataRef) -> Option<Self> {
        (!raw.is_null()).then_some(DebugNode { raw, of: PhantomData })
    }

    /// The name of a function, variable or type.
    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: the shim checks the kind of node; the text belongs to the context.
        unsafe {
            let data = ffi::taw_di_name(self.raw, &mut len);
            text(data, len)
        }
    }

    /// The DWARF tag.
    pub fn tag(self) -> u32 {
        // SAFETY: the shim checks the kind of node.
        unsafe { ffi::taw_di_tag(self.raw) }
    }

    /// The type that a type is derived from; the type of a variable or function.
    pub fn base(self) -> Option<DebugNode<'m>> {
        // SAFETY: the shim checks the kind of node.
        DebugNode::new(unsafe { ffi::taw_di_base(self.raw) })
    }

    /// File and line of a function's or variable's declaration.
    pub fn declared(self) -> Option<(DebugFile<'m>, u32)> {
        let mut file = std::ptr::null_mut();
        // SAFETY: the shim checks the kind of node.
        let line = unsafe { ffi::taw_di_line(self.raw, &mut file) };
        Some((DebugFile::new(file)?, line))
    }

    /// Which parameter a local variable is, from 1; 0 if none.
    pub fn argument(self) -> u32 {
        // SAFETY: the shim checks the kind of node.
        unsafe { ffi::taw_di_argument(self.raw) }
    }

    /// The parts of a function type (the result first, `None` for void) or composite type.
    pub fn elements(self) -> Vec<Option<DebugNode<'m>>> {
        // SAFETY: the shim checks the kind of node and the index.
        unsafe { (0..ffi::taw_di_count(self.raw)).map(|i| DebugNode::new(ffi::taw_di_element(self.raw, i))).collect() }
    }

    /// Size of a type, and offset of a member in its structure, in bits.
    pub fn size_and_offset(self) -> (u64, u64) {
        let mut offset = 0;
        // SAFETY: the shim checks the kind of node.
        let size = unsafe { ffi::taw_di_size(self.raw, &mut offset) };
        (size, offset)
    }

    /// The encoding of a basic type, as DWARF numbers them; 0 for any other.
    pub fn encoding(self) -> u32 {
        // SAFETY: the shim checks the kind of node.
        unsafe { ffi::taw_di_encoding(self.raw) }
    }

    fn has_flag(self, flag: u32) -> bool {
        // SAFETY: the shim checks the kind of node.
        unsafe { ffi::taw_di_flags(self.raw) & flag != 0 }
    }

    /// Whether a type is declared here and defined elsewhere.
    pub fn is_only_declared(self) -> bool {
        self.has_flag(1)
    }

    /// Whether a member is a bit field.
    pub fn is_bit_field(self) -> bool {
        self.has_flag(2)
    }

    /// Whether a member of a class is a variable of its own.
    pub fn is_static_member(self) -> bool {
        self.has_flag(4)
    }

    /// The value of an enumerator.
    pub fn enumerator(self) -> i64 {
        // SAFETY: the shim checks the kind of node.
        unsafe { ffi::taw_di_enumerator(self.raw) }
    }

    /// The number of elements of an array's dimension, if known.
    pub fn subrange(self) -> Option<u64> {
        // SAFETY: the shim checks the kind of node.
        u64::try_from(unsafe { ffi::taw_di_subrange(self.raw) }).ok()
    }
}

impl<'m> LlvmValue<'m> {
    /// The source place of an instruction.
    pub fn location(self) -> Option<Location<'m>> {
        assert!(self.is_instruction());
        // SAFETY: it is an instruction.
        Location::new(unsafe { LLVMInstructionGetDebugLoc(self.raw()) })
    }

    /// The source function of a function.
    pub fn debug_function(self) -> Option<DebugNode<'m>> {
        assert!(self.is_function());
        // SAFETY: it is a function.
        DebugNode::new(unsafe { LLVMGetSubprogram(self.raw()) })
    }

    /// The source variable of a global.
    pub fn debug_variable(self) -> Option<DebugNode<'m>> {
        // SAFETY: the shim checks the kind of value.
        DebugNode::new(unsafe { ffi::taw_di_global(self.raw()) })
    }

    /// What the debug records before an instruction say about variables: those that have to do with one value.
    pub fn debug_records(self) -> Vec<(Declares, LlvmValue<'m>, DebugNode<'m>)> {
        assert!(self.is_instruction());
        let mut found = Vec::new();
        // SAFETY: walks the instruction's list of records; the shim checks the kind of each.
        unsafe {
            let mut record = LLVMGetFirstDbgRecord(self.raw());
            while !record.is_null() {
                let (mut value, mut variable, mut expression) =
                    (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
                let how = match ffi::taw_dbg_record(record, &mut value, &mut variable, &mut expression) {
                    0 => None,
                    _ if ffi::taw_di_plain(expression) == 0 => Some(Declares::Otherwise),
                    1 => Some(Declares::Address),
                    _ => Some(Declares::Value),
                };
                if let (Some(how), Some(value), Some(variable)) = (how, LlvmValue::new(value), DebugNode::new(variable))
                {
                    found.push((how, value, variable));
                }
                record = LLVMGetNextDbgRecord(record);
            }
        }
        found
    }
}
