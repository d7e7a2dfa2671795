//! Stack objects, lifetimes and sizes.

use taw_ir::{Alloca, AllocaId, Function, Operand, Reg};

use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::follow::Divergence;
use crate::memory::{FILL, ObjectKind, Region, Status};
use crate::reason::Doubt;
use crate::state::Fate;
use crate::stop::Stop;
use crate::value::{Value, mask};

/// An allocation of a size that is not known is tracked exactly up to this many bytes.
const SYMBOLIC_SIZE: u64 = 4096;

impl Cx<'_, '_> {
    pub(super) fn alloca(&mut self, id: AllocaId, alloca: &Alloca) -> Result<(), Stop> {
        let bits = self.pointer_bits();
        let count = self.read(alloca.count);
        let size = match count.as_word() {
            Some(n) => Value::word(n.wrapping_mul(alloca.size) & mask(bits)),
            None => {
                let count = count.to_term(self.terms(), alloca.count_width);
                let terms = self.terms();
                let count =
                    if alloca.count_width < bits { terms.zext(count, bits) } else { terms.extract(count, 0, bits) };
                let each = terms.bv(bits, alloca.size);
                let size = terms.mul(count, each);
                self.value(size)
            }
        };
        let kind = ObjectKind::Stack(self.state.top.func, id);
        let Some(base) = self.allocate(Region::Stack, size, alloca.align, kind)? else {
            return Err(Stop::Bug(FindingKind::StackOverflow, "a local does not fit the stack".to_owned()));
        };
        self.state.memory.object_mut(base).element = alloca.element.max(1);
        self.state.top.locals.push(base);
        self.set(alloca.dst, Value::word(base));
        Ok(())
    }

    /// Makes an object whose size may be symbolic; `None` if there is no room.
    ///
    /// # Errors
    /// If a query was not answered.
    pub fn allocate(&mut self, region: Region, size: Value, align: u64, kind: ObjectKind) -> Result<Option<u64>, Stop> {
        let (capacity, limit) = match size.as_term() {
            None => (size.as_word().unwrap_or_default(), None),
            Some(t) => {
                let bits = self.pointer_bits();
                let most = self.terms().bv(bits, SYMBOLIC_SIZE);
                let small = self.terms().ule(t, most);
                if self.split(small, Fate::Continue).0 {
                    (self.largest(t)?, Some(t))
                } else {
                    self.engine.doubts.insert(Doubt::OneSize(SYMBOLIC_SIZE));
                    let word = self.witness_word(t);
                    let constant = self.terms().bv(bits, word);
                    let same = self.terms().eq(t, constant);
                    let same = self.value(same);
                    self.assume(same)?;
                    (word, None)
                }
            }
        };
        if capacity > self.engine.config.max_heap {
            return Ok(None);
        }
        let Some(base) = self.state.memory.allocate(region, capacity, align, kind, FILL) else { return Ok(None) };
        self.state.memory.object_mut(base).limit = limit;
        self.fill_undefined(base);
        Ok(Some(base))
    }

    /// The largest value a term can have on this path.
    fn largest(&mut self, t: taw_expr::Term) -> Result<u64, Stop> {
        let number = self.state.answers.len();
        let known = self.state.seeds.first().and_then(|seed| seed.answers.get(number)).copied();
        let answer = match known.filter(|known| (self.witness_word(t)..=SYMBOLIC_SIZE).contains(known)) {
            Some(known) => known,
            None => self.ask_largest(t)?,
        };
        self.state.answers.push(answer);
        Ok(answer)
    }

    fn ask_largest(&mut self, t: taw_expr::Term) -> Result<u64, Stop> {
        let engine = &mut *self.engine;
        if let Some(following) = &mut engine.following {
            following.broken = Some(Divergence::Answer(self.state.site()));
            return Err(Stop::Infeasible);
        }
        let (path, witness) = (engine.path_terms.of(&self.state.path), self.state.witness.assignment());
        engine.solver.max(&mut engine.terms, path, t, witness).map_err(|why| Stop::Unknown(why.into()))
    }

    /// The address of the innermost call's frame: an object of its own, which only this call has.
    pub(super) fn frame_address(&mut self, dst: Reg) -> Result<(), Stop> {
        let kind = ObjectKind::Internal("the frame of a call");
        let known = self.state.top.locals.iter().copied().find(|&base| self.object(base).kind == kind);
        let base = match known {
            Some(base) => base,
            None => {
                let made = self.state.memory.allocate(Region::Stack, 16, 16, kind, FILL);
                let full = || Stop::Bug(FindingKind::StackOverflow, "a frame does not fit the stack".to_owned());
                let base = made.ok_or_else(full)?;
                self.state.top.locals.push(base);
                base
            }
        };
        self.set(dst, Value::word(base));
        Ok(())
    }

    /// Where a call returns to: the same for every call from the same place.
    pub(super) fn return_address(&mut self, dst: Reg, depth: u32) {
        let caller = self.state.callers.iter().rev().nth(depth as usize);
        let address = caller.map_or(0, |frame| self.engine.image.address_after(frame.func, frame.pc));
        self.set(dst, Value::word(address));
    }

    /// A variable for something that nobody has written.
    fn unwritten(&mut self) -> taw_expr::Term {
        self.state.unwritten += 1;
        self.engine.shadows.unwritten(&mut self.engine.terms, self.state.unwritten - 1)
    }

    /// Content that shows where it is used, if uninitialised use is looked for.
    pub(crate) fn fill_undefined(&mut self, base: u64) {
        if !self.engine.config.checks.uninit {
            return;
        }
        let size = self.object(base).size as usize;
        let unknown = self.unwritten();
        let big_endian = self.big_endian();
        for offset in (0..size).step_by(8) {
            let len = (size - offset).min(8) as u32;
            let part = self.terms().extract(unknown, 0, len * 8);
            let part = self.value(part);
            let object = self.state.memory.object_mut(base);
            object.store(&mut self.engine.terms, offset, part, len * 8, big_endian);
        }
    }

    /// A register without a particular value.
    pub(super) fn undefine(&mut self, function: &Function, dst: Reg) {
        let width = function.regs[dst].ty.bits(&self.engine.program.layout);
        let value = if self.engine.config.checks.uninit && width <= 64 {
            let unknown = self.unwritten();
            let t = self.terms().extract(unknown, 0, width);
            self.value(t)
        } else if width <= 64 {
            Value::word(u64::from_ne_bytes([FILL; 8]) & mask(width))
        } else {
            Value::of_bits(self.terms(), &taw_expr::Bits::new(width, 0))
        };
        self.set(dst, value);
    }

    /// Goes on only where a term does not depend on memory that nobody has written, if that is looked for.
    pub(crate) fn check_undefined(&mut self, t: taw_expr::Term, message: &str) -> Result<(), Stop> {
        let engine = &mut *self.engine;
        let Some(depends) = engine.shadows.depends(&mut engine.terms, t) else { return Ok(()) };
        let fine = engine.terms.not(depends);
        let fine = self.value(fine);
        self.require(fine, FindingKind::UninitialisedUse, || message.to_owned())
    }

    pub(super) fn lifetime_start(&mut self, function: &Function, ptr: Operand) -> Result<(), Stop> {
        let Some((base, size, status)) = self.local_at(ptr) else { return Ok(()) };
        match (status, self.alloca_of(function, ptr)) {
            (Status::OutOfScope, Some(alloca)) => return self.renew(base, size, alloca),
            (Status::OutOfScope, None) => {
                let object = self.object(base);
                let mut fresh = crate::memory::Object::new(base, size, object.kind, FILL);
                fresh.element = object.element;
                self.state.memory.revive(fresh);
            }
            _ => {
                let object = self.state.memory.object_mut(base);
                object.write(0, &vec![FILL; size as usize]);
            }
        }
        self.fill_undefined(base);
        Ok(())
    }

    /// The local whose address the operand is, if nothing but that register holds it: code that was not optimised computes
    /// every address from it again.
    fn alloca_of<'f>(&self, function: &'f Function, ptr: Operand) -> Option<&'f Alloca> {
        let reg = ptr.as_reg().filter(|_| self.code_is_as_written())?;
        function.allocas.values().find(|alloca| alloca.dst == reg)
    }

    /// A local that lives again is another object: a pointer to what it was before is not one to what it is now.
    fn renew(&mut self, old: u64, size: u64, alloca: &Alloca) -> Result<(), Stop> {
        let kind = self.object(old).kind;
        let Some(base) = self.allocate(Region::Stack, Value::word(size), alloca.align, kind)? else {
            return Err(Stop::Bug(FindingKind::StackOverflow, "a local does not fit the stack".to_owned()));
        };
        self.state.memory.object_mut(base).element = alloca.element.max(1);
        self.state.memory.replace(old);
        for local in self.state.top.locals.iter_mut().filter(|local| **local == old) {
            *local = base;
        }
        self.set(alloca.dst, Value::word(base));
        Ok(())
    }

    pub(super) fn lifetime_end(&mut self, ptr: Operand) {
        if let Some((base, _, Status::Live)) = self.local_at(ptr) {
            self.state.memory.suspend(base);
        }
    }

    fn local_at(&self, ptr: Operand) -> Option<(u64, u64, Status)> {
        let object = self.state.memory.object(self.read(ptr).as_word()?)?;
        matches!(object.kind, ObjectKind::Stack(..)).then_some((object.base, object.size, object.status))
    }

    pub(super) fn object_size(&mut self, dst: Reg, ptr: Operand, width: u32, min: bool) {
        let known = self.read(ptr).as_word().and_then(|address| {
            let object = self.state.memory.object(address)?;
            let offset = address.wrapping_sub(object.base);
            let is_fixed = object.limit.is_none() || matches!(object.kind, ObjectKind::Global(_));
            (object.status == Status::Live && is_fixed && offset <= object.size).then(|| object.size - offset)
        });
        let unknown = if min { 0 } else { mask(width) };
        self.set(dst, Value::word(known.unwrap_or(unknown) & mask(width)));
    }

    pub(super) fn stack_restore(&mut self, mark: Operand) {
        let keep = self.read(mark).as_word().map_or(usize::MAX, |w| w as usize);
        while self.state.top.locals.len() > keep {
            if let Some(base) = self.state.top.locals.pop() {
                self.state.memory.retire(base, Status::OutOfScope);
            }
        }
    }
}
