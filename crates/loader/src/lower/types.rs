//! How LLVM types are split into scalars, in registers and in memory.
//!
//! A vector's elements lie in memory without gaps, down to the bit; those whose width is no multiple of a byte are read
//! and written as one integer. Arrays and structures follow the data layout, with its padding.
//!
//! Boundary: a file may name any type. Those that nobody can split (scalable vectors), or not in a time that anyone would wait, are
//! *opaque*; those whose size is not a number, or too large for one, have none ([`Shapes::bytes`]).

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use taw_ir::{FloatTy, Ty};

use crate::llvm::{DataLayout, LlvmType, LlvmTypeKind};

/// The most parts that a type is split into, and bits that a scalar has; more is opaque. No compiler makes such values out of C.
pub const MOST_PARTS: usize = 1 << 16;

/// What an opaque type is, in messages.
pub const OPAQUE: &str = "a scalable vector or a type of the target's own, or of more than 65,536 parts or bits";

/// What a type without a size is, in messages.
pub const UNSIZED: &str = "a type whose size is not known, or too large for any address";

/// Sizes from here on are none: sums of them would not fit.
const TOO_LARGE: u64 = 1 << 61;

/// A type as a list of scalars.
#[derive(Debug, Default)]
pub struct Shape {
    /// The scalars, in order.
    pub scalars: Vec<Ty>,
    /// Where they are in memory, in order.
    pub slots: Vec<MemorySlot>,
    /// Whether the type has parts that cannot be split into scalars.
    pub opaque: bool,
    /// How many types were looked at.
    steps: usize,
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
    sizes: RefCell<HashMap<LlvmType<'m>, Option<u64>>>,
    elements: RefCell<HashMap<LlvmType<'m>, Option<u32>>>,
}

impl<'m> Shapes<'m> {
    /// For a module's data layout.
    pub fn new(layout: DataLayout<'m>) -> Self {
        Shapes { layout, shapes: HashMap::new(), sizes: RefCell::default(), elements: RefCell::default() }
    }

    /// The shape of a type.
    pub fn shape(&mut self, ty: LlvmType<'m>) -> Rc<Shape> {
        if let Some(shape) = self.shapes.get(&ty) {
            return shape.clone();
        }
        let mut shape = Shape::default();
        self.split(ty, 0, &mut shape);
        if shape.opaque {
            shape = Shape { opaque: true, ..Shape::default() };
        }
        let shape = Rc::new(shape);
        self.shapes.insert(ty, shape.clone());
        shape
    }

    /// The bytes from one element of an array of the type to the next; `None` if that is no number, or too large for one.
    pub fn bytes(&self, ty: LlvmType<'m>) -> Option<u64> {
        if let Some(&known) = self.sizes.borrow().get(&ty) {
            return known;
        }
        let size = match ty.kind() {
            LlvmTypeKind::Array => self.bytes(ty.element(0)).and_then(|each| each.checked_mul(ty.count())),
            LlvmTypeKind::Struct if ty.is_sized() => {
                let fields = (0..ty.count() as u32).map(|i| self.bytes(ty.element(i)));
                let least = fields.into_iter().try_fold(0u64, |sum, size| sum.checked_add(size?));
                least.filter(|&least| least < TOO_LARGE).map(|_| self.layout.alloc_bytes(ty))
            }
            LlvmTypeKind::Opaque | LlvmTypeKind::Function | LlvmTypeKind::Void | LlvmTypeKind::Abstract => None,
            _ => ty.is_sized().then(|| self.layout.alloc_bytes(ty)),
        };
        let size = size.filter(|&size| size < TOO_LARGE);
        self.sizes.borrow_mut().insert(ty, size);
        size
    }

    fn split(&self, ty: LlvmType<'m>, offset: u64, shape: &mut Shape) {
        shape.steps += 1;
        shape.opaque |= shape.steps > MOST_PARTS;
        if shape.opaque {
            return;
        }
        match ty.kind() {
            LlvmTypeKind::Vector => self.split_vector(ty, offset, shape),
            LlvmTypeKind::Array if ty.count() > MOST_PARTS as u64 => shape.opaque = true,
            LlvmTypeKind::Array if ty.count() > 0 => {
                let element = ty.element(0);
                let Some(stride) = self.bytes(element) else {
                    shape.opaque = true;
                    return;
                };
                for i in 0..ty.count() {
                    self.split(element, offset + i * stride, shape);
                }
            }
            LlvmTypeKind::Struct if ty.is_sized() => {
                if self.bytes(ty).is_none() {
                    shape.opaque = true;
                    return;
                }
                for i in 0..ty.count() as u32 {
                    self.split(ty.element(i), offset + self.layout.offset(ty, i), shape);
                }
            }
            LlvmTypeKind::Int(width) if width as usize > MOST_PARTS => shape.opaque = true,
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
        let whole = if bits.is_multiple_of(8) { bits } else { bits * count as u64 };
        shape.steps += count;
        if shape.steps > MOST_PARTS || whole > MOST_PARTS as u64 {
            shape.opaque = true;
            return;
        }
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
        if let Some(&known) = self.elements.borrow().get(&ty) {
            return known;
        }
        let found = self.find_uniform(ty);
        self.elements.borrow_mut().insert(ty, found);
        found
    }

    fn find_uniform(&self, ty: LlvmType<'m>) -> Option<u32> {
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
