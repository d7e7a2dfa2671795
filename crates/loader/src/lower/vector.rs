//! Taking values apart and putting them together: aggregates, and vectors with constant or variable index.

use taw_ir::{CmpOp, Inst, IntOp, Operand, Requirement, Ty};

use super::body::{FunctionBody, Parts};
use crate::llvm::{LlvmType, LlvmTypeKind, LlvmValue};

impl<'m> FunctionBody<'_, 'm> {
    pub(super) fn extract_value(&mut self, i: LlvmValue<'m>) -> Parts {
        let parts = self.value(i.operand(0));
        let (first, count) = self.span(i.operand(0).ty(), &i.indices());
        parts[first..][..count].into()
    }

    pub(super) fn insert_value(&mut self, i: LlvmValue<'m>) -> Parts {
        let mut parts = self.value(i.operand(0));
        let new = self.value(i.operand(1));
        let (first, count) = self.span(i.operand(0).ty(), &i.indices());
        parts[first..][..count].copy_from_slice(&new);
        parts
    }

    /// The scalars that a path into an aggregate selects: the first and how many.
    fn span(&mut self, ty: LlvmType<'m>, path: &[u32]) -> (usize, usize) {
        let (mut at, mut first) = (ty, 0);
        for &index in path {
            if at.kind() == LlvmTypeKind::Struct {
                first += (0..index).map(|i| self.cx.types.shape(at.element(i)).scalars.len()).sum::<usize>();
            } else {
                first += index as usize * self.cx.types.shape(at.element(0)).scalars.len();
            }
            at = at.element(index);
        }
        (first, self.cx.types.shape(at).scalars.len())
    }

    pub(super) fn extract_element(&mut self, i: LlvmValue<'m>) -> Parts {
        let parts = self.value(i.operand(0));
        let index = i.operand(1);
        if let Some(lane) = index.as_u64() {
            let ty = self.type_of(parts[0]);
            let element = parts.get(lane as usize).copied().unwrap_or_else(|| self.undef(ty));
            return Parts::from_elem(element, 1);
        }
        let index = self.lane_of(index, parts.len(), Requirement::ElementRead);
        let ty = self.type_of(parts[0]);
        let mut found = parts[0];
        for (lane, &part) in parts.iter().enumerate().skip(1) {
            let here = self.is_lane(index, lane);
            found = self.choose(here, ty, part, found);
        }
        Parts::from_elem(found, 1)
    }

    pub(super) fn insert_element(&mut self, i: LlvmValue<'m>) -> Parts {
        let mut parts = self.value(i.operand(0));
        let new = self.scalar(i.operand(1));
        let index = i.operand(2);
        if let Some(lane) = index.as_u64() {
            if let Some(place) = parts.get_mut(lane as usize) {
                *place = new;
            }
            return parts;
        }
        let index = self.lane_of(index, parts.len(), Requirement::ElementWrite);
        let ty = self.type_of(new);
        let lanes = parts.into_iter().enumerate();
        lanes
            .map(|(lane, old)| {
                let here = self.is_lane(index, lane);
                self.choose(here, ty, new, old)
            })
            .collect()
    }

    /// The lane that a subscript selects. One past the end is an error, unless an optimiser has made it; then it is what the
    /// machine makes of it, which has room for a power of two and looks at no other bits.
    fn lane_of(&mut self, index: LlvmValue<'m>, lanes: usize, what: Requirement) -> Operand {
        let index = self.scalar(index);
        let ty = self.type_of(index);
        let count = self.number(ty, lanes as u64);
        let cond = self.compare(CmpOp::Ult, index, count);
        self.emit(Inst::Require { cond, what });
        let mask = self.number(ty, lanes.next_power_of_two() as u64 - 1);
        self.binary(IntOp::And, ty, index, mask)
    }

    fn is_lane(&mut self, index: Operand, lane: usize) -> Operand {
        let ty = self.type_of(index);
        let lane = self.number(ty, lane as u64);
        self.compare(CmpOp::Eq, index, lane)
    }

    pub(super) fn shuffle(&mut self, i: LlvmValue<'m>) -> Parts {
        let mut lanes = self.value(i.operand(0));
        lanes.extend(self.value(i.operand(1)));
        let ty = lanes.first().map_or(Ty::Int(1), |&lane| self.type_of(lane));
        let mask = i.shuffle_mask();
        mask.into_iter()
            .map(|lane| match lane {
                Some(lane) => lanes[lane as usize],
                None => self.undef(ty),
            })
            .collect()
    }
}
