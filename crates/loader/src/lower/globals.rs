//! Globals: their initial bytes, what is put into them once addresses are known, constructors and destructors.

use std::collections::BTreeSet;

use taw_ir::{ConstValue, FuncId, Global, GlobalId, Initializer, Relocation, Symbol};

use super::{Lower, origin};
use crate::LoadError;
use crate::llvm::{LlvmTypeKind, LlvmValue, Module, ValueKind};

/// The most bytes that a global may have: they are all kept.
const LARGEST_GLOBAL: u64 = 1 << 31;

/// What is under construction.
struct GlobalImage<'a> {
    global: &'a str,
    init: Initializer,
}

impl<'m> Lower<'m> {
    pub(super) fn declare_globals(&mut self, module: &'m Module<'_>, user: &BTreeSet<String>) {
        for g in module.globals().filter(|&g| !is_for_the_compiler(g)) {
            let name = g.name();
            let ty = g.value_type();
            let debug = g.debug_variable();
            let global = Global {
                size: self.types.bytes(ty).unwrap_or(0),
                align: if self.types.bytes(ty).is_some() {
                    self.layout.preferred_align(g).max(g.alignment())
                } else {
                    1
                },
                init: None,
                constant: g.is_global_constant(),
                element: if self.types.bytes(ty).is_some() { self.types.element(ty) } else { 1 },
                source: self.source_type(debug.and_then(|node| node.base())),
                loc: debug.and_then(|node| self.debug.declared(&mut self.program, node, "")),
                origin: origin(g, &name, user),
                name: name.clone(),
            };
            let id = self.program.globals.push(global);
            self.globals.insert(g, id);
            if !name.is_empty() {
                self.program.global_names.insert(name, id);
            }
        }
    }

    /// Aliases are further names of what they stand for.
    pub(super) fn name_aliases(&mut self, module: &'m Module<'_>) {
        for alias in module.aliases() {
            match self.const_value(alias) {
                Some(ConstValue::Address(Symbol::Function(id), 0)) => {
                    self.program.names.insert(alias.name(), id);
                }
                Some(ConstValue::Address(Symbol::Global(id), 0)) => {
                    self.program.global_names.insert(alias.name(), id);
                }
                _ => {}
            }
        }
    }

    pub(super) fn define_globals(&mut self, module: &'m Module<'_>) -> Result<(), LoadError> {
        for g in module.globals() {
            let Some(value) = g.initializer() else { continue };
            match (g.name().as_str(), self.globals.get(&g)) {
                ("llvm.global_ctors", _) => self.program.constructors = self.by_priority(value),
                ("llvm.global_dtors", _) => {
                    // Destructors run the other way round.
                    self.program.destructors = self.by_priority(value);
                    self.program.destructors.reverse();
                }
                (name, Some(&id)) => self.define_global(name, id, value)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn define_global(&mut self, name: &str, id: GlobalId, value: LlvmValue<'m>) -> Result<(), LoadError> {
        let size = self.types.bytes(value.ty()).filter(|&size| size <= LARGEST_GLOBAL);
        let size =
            size.ok_or_else(|| LoadError::GlobalSize { global: name.to_string(), most: LARGEST_GLOBAL })? as usize;
        let mut image =
            GlobalImage { global: name, init: Initializer { bytes: vec![0; size], relocations: Vec::new() } };
        self.fill(&mut image, 0, value)?;
        self.program.globals[id].init = Some(image.init);
        Ok(())
    }

    /// The functions of a list of structures (priority, function, data), by priority; equals keep their order.
    fn by_priority(&mut self, list: LlvmValue<'m>) -> Vec<FuncId> {
        let mut all = Vec::new();
        for i in 0..list.ty().count() as u32 {
            let Some(entry) = list.aggregate_element(i) else { continue };
            let priority = entry.aggregate_element(0).and_then(LlvmValue::as_u64).unwrap_or(65535);
            let function = entry.aggregate_element(1).and_then(|f| self.const_value(f));
            if let Some(ConstValue::Address(Symbol::Function(id), 0)) = function {
                all.push((priority, id));
            }
        }
        all.sort_by_key(|&(priority, _)| priority);
        all.into_iter().map(|(_, id)| id).collect()
    }

    fn fill(&mut self, image: &mut GlobalImage<'_>, offset: u64, value: LlvmValue<'m>) -> Result<(), LoadError> {
        use ValueKind::*;
        match value.kind() {
            // The image is zero already; padding and undefined parts are zero as well, as in a native program.
            LLVMConstantAggregateZeroValueKind
            | LLVMConstantPointerNullValueKind
            | LLVMUndefValueValueKind
            | LLVMPoisonValueKind => Ok(()),
            LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind if !self.layout.big_endian() => {
                let data = value.raw_data().unwrap_or_default();
                image.write(offset, data)
            }
            _ => match value.ty().kind() {
                LlvmTypeKind::Struct => self.fill_struct(image, offset, value),
                LlvmTypeKind::Array | LlvmTypeKind::Vector => self.fill_elements(image, offset, value),
                _ => self.fill_scalar(image, offset, value),
            },
        }
    }

    fn fill_struct(&mut self, image: &mut GlobalImage<'_>, offset: u64, value: LlvmValue<'m>) -> Result<(), LoadError> {
        for i in 0..value.ty().count() as u32 {
            let field = value.aggregate_element(i).ok_or_else(|| image.unknown("a structure without its fields"))?;
            self.fill(image, offset + self.layout.offset(value.ty(), i), field)?;
        }
        Ok(())
    }

    fn fill_elements(
        &mut self,
        image: &mut GlobalImage<'_>,
        offset: u64,
        value: LlvmValue<'m>,
    ) -> Result<(), LoadError> {
        let element = value.ty().element(0);
        let bits = self.layout.bits(element);
        let vector = value.ty().kind() == LlvmTypeKind::Vector;
        if vector && !bits.is_multiple_of(8) {
            return self.fill_packed(image, offset, value, bits);
        }
        let stride = if vector { bits / 8 } else { self.layout.alloc_bytes(element) };
        for i in 0..value.ty().count() {
            let part =
                value.aggregate_element(i as u32).ok_or_else(|| image.unknown("an array without its elements"))?;
            self.fill(image, offset + i * stride, part)?;
        }
        Ok(())
    }

    /// A vector of odd width lies in memory as one integer.
    fn fill_packed(
        &mut self,
        image: &mut GlobalImage<'_>,
        offset: u64,
        value: LlvmValue<'m>,
        bits: u64,
    ) -> Result<(), LoadError> {
        let count = value.ty().count();
        let mut bytes = vec![0u8; (count * bits).div_ceil(8) as usize];
        for i in 0..count {
            let words = value.aggregate_element(i as u32).and_then(LlvmValue::words).unwrap_or_default();
            let place = if self.layout.big_endian() { count - 1 - i } else { i };
            for bit in (0..bits).filter(|&b| words.get((b / 64) as usize).is_some_and(|w| w >> (b % 64) & 1 == 1)) {
                let at = place * bits + bit;
                bytes[(at / 8) as usize] |= 1 << (at % 8);
            }
        }
        if self.layout.big_endian() {
            bytes.reverse();
        }
        image.write(offset, &bytes)
    }

    fn fill_scalar(&mut self, image: &mut GlobalImage<'_>, offset: u64, value: LlvmValue<'m>) -> Result<(), LoadError> {
        let size = self.layout.bits(value.ty()).div_ceil(8) as usize;
        match self.const_value(value) {
            Some(ConstValue::Bits(words)) => {
                let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take(size).collect();
                if self.layout.big_endian() {
                    bytes.reverse();
                }
                image.write(offset, &bytes)
            }
            Some(ConstValue::Undef) => Ok(()),
            Some(value) => {
                image.init.relocations.push(Relocation { offset, bytes: size as u32, value });
                Ok(())
            }
            None => Err(image.unknown("it is an expression over addresses that is no sum or difference")),
        }
    }
}

impl GlobalImage<'_> {
    fn write(&mut self, offset: u64, data: &[u8]) -> Result<(), LoadError> {
        let start = offset as usize;
        match self.init.bytes.get_mut(start..start + data.len()) {
            Some(place) => {
                place.copy_from_slice(data);
                Ok(())
            }
            None => Err(self.unknown("it is longer than its type")),
        }
    }

    fn unknown(&self, reason: &str) -> LoadError {
        LoadError::Initializer { global: self.global.to_string(), reason: reason.to_string() }
    }
}

/// Lists of names for the linker and annotations: nothing the program can see.
fn is_for_the_compiler(g: LlvmValue<'_>) -> bool {
    let lists = ["llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"];
    g.section() == "llvm.metadata" || lists.contains(&g.name().as_str())
}
