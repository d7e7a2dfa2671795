//! Memory: copying and filling, lifetimes, stack, sizes of objects, masked vectors.

use taw_ir::{Inst, IntOp, Operand, Ty};

use super::IntrinsicResult;
use crate::llvm::LlvmValue;
use crate::lower::body::{FunctionBody, Parts};

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn memory_intrinsic(&mut self, i: LlvmValue<'m>, name: &str) -> IntrinsicResult {
        match name {
            "memcpy" | "memcpy.inline" | "memmove" => self.copy_memory(i),
            "memcpy.element.unordered.atomic" | "memmove.element.unordered.atomic" => self.copy_memory(i),
            "memset" | "memset.inline" | "memset.element.unordered.atomic" => self.fill_memory(i),
            "lifetime.start" => self.lifetime(i, |ptr| Inst::LifetimeStart { ptr }),
            "lifetime.end" => self.lifetime(i, |ptr| Inst::LifetimeEnd { ptr }),
            "stacksave" => return Ok(Some(Parts::from_elem(self.compute(Ty::Ptr, |dst| Inst::StackSave { dst }), 1))),
            "stackrestore" => {
                let mark = self.scalar(i.operand(0));
                self.emit(Inst::StackRestore { mark });
            }
            "objectsize" => return Ok(Some(self.object_size(i))),
            "ptrmask" => return Ok(Some(self.pointer_mask(i))),
            "load.relative" => return Ok(Some(self.load_relative(i))),
            "masked.load" => return Ok(Some(self.masked_load(i))),
            "masked.store" => self.masked_store(i),
            "masked.gather" => return Ok(Some(self.masked_gather(i))),
            "masked.scatter" => self.masked_scatter(i),
            "masked.expandload" => return Ok(Some(self.expand_load(i))),
            "masked.compressstore" => self.compress_store(i),
            _ => return Ok(None),
        }
        Ok(Some(Parts::new()))
    }

    fn copy_memory(&mut self, i: LlvmValue<'m>) {
        let (dst, src, len) = (self.scalar(i.operand(0)), self.scalar(i.operand(1)), self.scalar(i.operand(2)));
        let width = self.width(self.type_of(len));
        self.emit(Inst::MemCopy { dst, src, len, width });
    }

    fn fill_memory(&mut self, i: LlvmValue<'m>) {
        let (dst, byte, len) = (self.scalar(i.operand(0)), self.scalar(i.operand(1)), self.scalar(i.operand(2)));
        let width = self.width(self.type_of(len));
        self.emit(Inst::MemSet { dst, byte, len, width });
    }

    /// Markers of no object in particular mean nothing.
    fn lifetime(&mut self, i: LlvmValue<'m>, make: impl FnOnce(Operand) -> Inst) {
        let arguments: Vec<LlvmValue<'m>> = i.call_arguments().collect();
        if let Some(&object) = arguments.last()
            && !object.is_constant()
        {
            let ptr = self.scalar(object);
            self.emit(make(ptr));
        }
    }

    fn object_size(&mut self, i: LlvmValue<'m>) -> Parts {
        let ptr = self.scalar(i.operand(0));
        let min = i.operand(1).as_u64() == Some(1);
        let ty = self.shape(i).scalars[0];
        let width = self.width(ty);
        Parts::from_elem(self.compute(ty, |dst| Inst::ObjectSize { dst, ptr, width, min }), 1)
    }

    /// A table of distances: the address is that of the table plus the 32 bits at an offset into it.
    fn load_relative(&mut self, i: LlvmValue<'m>) -> Parts {
        let (base, index) = (self.scalar(i.operand(0)), self.scalar(i.operand(1)));
        let index_width = self.width(self.type_of(index));
        let at = self.compute(Ty::Ptr, |dst| Inst::PtrIndex { dst, base, index, width: index_width, scale: 1 });
        let distance = self.compute(Ty::Int(32), |dst| Inst::Load { dst, ptr: at, width: 32 });
        let target = |dst| Inst::PtrIndex { dst, base, index: distance, width: 32, scale: 1 };
        Parts::from_elem(self.compute(Ty::Ptr, target), 1)
    }

    fn pointer_mask(&mut self, i: LlvmValue<'m>) -> Parts {
        let bits = Ty::Int(self.width(Ty::Ptr));
        self.lanes2(i.operand(0), i.operand(1), |body, pointer, mask| {
            let (pointer, mask) = (body.fit(pointer, bits), body.fit(mask, bits));
            let masked = body.binary(IntOp::And, bits, pointer, mask);
            body.fit(masked, Ty::Ptr)
        })
    }
}
