//! How LLVM types are split into scalars, in registers and in memory.
//!
//! A vector's elements lie in memory without gaps, down to the bit; those whose width is no multiple of a byte are read
//! and written as one integer. Arrays and structures follow the data layout, with its padding.

use std::collections::HashMap;
use std::rc::Rc;

use taw_ir::{FloatTy, Ty};

use crate::llvm::{DataLayout, LlvmType, LlvmTypeKind};

/// A type as a list of scalars.
#[derive(Debug, Default)]
pub struct Shape {
    /// The scalars, in order.
    pub scalars: Vec<Ty>,
    /// Where they are in memory, in order.
    pub slots: Vec<MemorySlot>,
    /// Whether the type has parts that cannot be split into scalars.
    pub opaque: bool,
}

/// Some scalars in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemorySlot {
    /// Bytes from the start.
    pub offset: u64,
    /// The first scalar.
    pub first: usize,
    /// How many, packed bit by bit: 1 except for vectors of odd widths.
    pub count: usize,
}

/// Shapes of types, each computed once.
pub struct Shapes<'m> {
    layout: DataLayout<'m>,
    shapes: HashMap<LlvmType<'m>, Rc<Shape>>,
}

impl<'m> Shapes<'m> {
    /// For a module's data layout.
    pub fn new(layout: DataLayout<'m>) -> Self {
        Shapes { layout, shapes: HashMap::new() }
    }

    /// The shape of a type.
    pub fn shape(&mut self, ty: LlvmType<'m>) -> Rc<Shape> {
        if let Some(shape) = self.shapes.get(&ty) {
            return shape.clone();
        }
        let mut shape = Shape::default();
        self.split(ty, 0, &mut shape);
        let shape = Rc::new(shape);
        self.shapes.insert(ty, shape.clone());
        shape
    }

    fn split(&self, ty: LlvmType<'m>, offset: u64, shape: &mut Shape) {
        match ty.kind() {
            LlvmTypeKind::Vector => self.split_vector(ty, offset, shape),
            LlvmTypeKind::Array if ty.count() > 0 => {
                let element = ty.element(0);
                let stride = self.layout.alloc_bytes(element);
                for i in 0..ty.count() {
                    self.split(element, offset + i * stride, shape);
                }
            }
            LlvmTypeKind::Struct if ty.is_sized() => {
                for i in 0..ty.count() as u32 {
                    self.split(ty.element(i), offset + self.layout.offset(ty, i), shape);
                }
            }
            LlvmTypeKind::Opaque => shape.opaque = true,
            kind => {
                if let Some(scalar) = scalar(kind) {
                    shape.slots.push(MemorySlot { offset, first: shape.scalars.len(), count: 1 });
                    shape.scalars.push(scalar);
                }
            }
        }
    }

    fn split_vector(&self, ty: LlvmType<'m>, offset: u64, shape: &mut Shape) {
        let element = ty.element(0);
        let Some(scalar) = scalar(element.kind()) else {
            shape.opaque = true;
            return;
        };
        let bits = self.layout.bits(element);
        let (first, count) = (shape.scalars.len(), ty.count() as usize);
        shape.scalars.extend(std::iter::repeat_n(scalar, count));
        if bits.is_multiple_of(8) {
            let slot = |i| MemorySlot { offset: offset + i as u64 * bits / 8, first: first + i, count: 1 };
            shape.slots.extend((0..count).map(slot));
        } else {
            shape.slots.push(MemorySlot { offset, first, count });
        }
    }

    /// The granularity of symbolic content (see `taw_ir::Global::element`): the size of the scalars if the type holds
    /// nothing but scalars of one size, 1 otherwise.
    pub fn element(&self, ty: LlvmType<'m>) -> u32 {
        self.uniform(ty).unwrap_or(1)
    }

    fn uniform(&self, ty: LlvmType<'m>) -> Option<u32> {
        match ty.kind() {
            LlvmTypeKind::Array | LlvmTypeKind::Vector => self.uniform(ty.element(0)),
            LlvmTypeKind::Struct if ty.is_sized() => {
                let fields = (0..ty.count() as u32).map(|i| ty.element(i));
                let used: u64 = fields.clone().map(|field| self.layout.alloc_bytes(field)).sum();
                let mut sizes = fields.map(|field| self.uniform(field));
                let first = sizes.next()??;
                (used == self.layout.alloc_bytes(ty) && sizes.all(|size| size == Some(first))).then_some(first)
            }
            kind => {
                scalar(kind)?;
                let size = self.layout.alloc_bytes(ty);
                (size * 8 == self.layout.bits(ty) && size.is_power_of_two()).then_some(size as u32)
            }
        }
    }
}

/// The scalar that a type is. Floats without a format of ours are bits: they can be moved, but not computed with.
fn scalar(kind: LlvmTypeKind) -> Option<Ty> {
    Some(match kind {
        LlvmTypeKind::Int(width) => Ty::Int(width),
        LlvmTypeKind::Pointer => Ty::Ptr,
        LlvmTypeKind::Half => Ty::Float(FloatTy::F16),
        LlvmTypeKind::Float => Ty::Float(FloatTy::F32),
        LlvmTypeKind::Double => Ty::Float(FloatTy::F64),
        LlvmTypeKind::X86Fp80 => Ty::Float(FloatTy::F80),
        LlvmTypeKind::Fp128 => Ty::Float(FloatTy::F128),
        LlvmTypeKind::BFloat => Ty::Int(16),
        LlvmTypeKind::PpcFp128 => Ty::Int(128),
        _ => return None,
    })
}
