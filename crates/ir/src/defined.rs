//! Which bits of a type hold its value: padding, and what a `long double` has beyond its ten bytes, are anything.

use crate::program::Layout;
use crate::types::{Type, TypeId, Types};

impl Types {
    /// A mask over the bytes of a type: a bit is set if a member has it. Of a union, if one of its members has.
    pub fn defined_bits(&self, id: TypeId, layout: &Layout) -> Vec<u8> {
        let bytes = self.bytes(id, layout).unwrap_or(0);
        let mut mask = vec![0; usize::try_from(bytes).unwrap_or(0)];
        self.define(id, layout, &mut mask);
        mask
    }

    /// The same of so many bytes, in which the flexible member of a structure goes on.
    pub fn defined_bits_of(&self, id: TypeId, bytes: u64, layout: &Layout) -> Vec<u8> {
        let mut mask = self.defined_bits(id, layout);
        mask.resize(usize::try_from(bytes).unwrap_or(0), 0);
        if let Some(flexible) = self.flexible(id, layout) {
            let elements = mask.get_mut(flexible.at as usize..).unwrap_or_default();
            for element in elements.chunks_exact_mut(flexible.each as usize) {
                self.define(flexible.of, layout, element);
            }
        }
        mask
    }

    fn define(&self, id: TypeId, layout: &Layout, mask: &mut [u8]) {
        match &self.all[self.plain(id)] {
            Type::Float { name, .. } if name == "long double" => define_long_double(mask),
            Type::Other { name, .. } if name.contains("long double") => {
                let half = mask.len() / 2;
                mask.chunks_mut(half.max(1)).for_each(define_long_double);
            }
            Type::Array { of, count } => {
                let each = self.bytes(*of, layout).unwrap_or(0) as usize;
                let elements = mask.chunks_mut(each.max(1)).take(count.unwrap_or(0) as usize);
                elements.for_each(|element| self.define(*of, layout, element));
            }
            Type::Record(_) => self.define_members(id, layout, mask),
            _ => mask.fill(0xff),
        }
    }

    fn define_members(&self, id: TypeId, layout: &Layout, mask: &mut [u8]) {
        for member in self.members(id).unwrap_or_default() {
            match member.width {
                // Numbered from the lowest bit; no machine that Taw knows natively has it otherwise.
                Some(width) => {
                    for bit in member.offset..member.offset + u64::from(width) {
                        if let Some(byte) = mask.get_mut(bit as usize / 8) {
                            *byte |= 1 << (bit % 8);
                        }
                    }
                }
                None => {
                    let (start, bytes) = (member.offset as usize / 8, self.bytes(member.ty, layout).unwrap_or(0));
                    let Some(part) = mask.get_mut(start..start + bytes as usize) else { continue };
                    // Members of a union lie on each other.
                    let mut own = vec![0; part.len()];
                    self.define(member.ty, layout, &mut own);
                    part.iter_mut().zip(own).for_each(|(byte, own)| *byte |= own);
                }
            }
        }
    }
}

/// The format of x86 has ten bytes of value, in twelve or sixteen of memory.
fn define_long_double(mask: &mut [u8]) {
    mask.iter_mut().take(10).for_each(|byte| *byte = 0xff);
}
