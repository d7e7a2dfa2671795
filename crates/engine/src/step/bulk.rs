//! `memcpy`, `memmove`, `memset`.
//!
//! A length that is not known makes no new paths: each byte up to the largest possible length is conditional on being
//! within it.

use taw_expr::Term;

use crate::access::{Access, ObjectPlace};
use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::stop::Stop;
use crate::value::Value;

impl Cx<'_, '_> {
    /// Copies as if through a buffer.
    ///
    /// # Errors
    /// If an access is an error.
    pub fn mem_copy(&mut self, dst: Value, src: Value, len: Value, width: u32) -> Result<(), Stop> {
        match len.as_term() {
            None => self.copy_known(dst, src, len.as_word().unwrap_or_default()),
            Some(len) => self.copy_unknown(dst, src, len, width),
        }
    }

    fn copy_known(&mut self, dst: Value, src: Value, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        // Where both are too short it is the write that is told, as for a length that is not known.
        let to = self.resolve(dst, len, Access::Write)?;
        let from = self.resolve(src, len, Access::Read)?;
        if let (ObjectPlace::At(from, at), ObjectPlace::At(to, offset)) = (from, to) {
            let source = self.object(from);
            let object = self.state.memory.object_mut(to);
            object.copy_from(&mut self.engine.terms, offset, &source, at, len as usize);
            return Ok(());
        }
        let bytes: Vec<Value> = (0..len).map(|i| self.byte_at(from, i)).collect();
        for (i, byte) in bytes.into_iter().enumerate() {
            self.put_byte(to, i as u64, byte);
        }
        Ok(())
    }

    fn copy_unknown(&mut self, dst: Value, src: Value, len: Term, width: u32) -> Result<(), Stop> {
        let (dst, src) = (self.settled_for(dst, len, width)?, self.settled_for(src, len, width)?);
        let Some(to) = self.beginning(dst, len, width, Access::Write)? else { return Ok(()) };
        let Some(from) = self.beginning(src, len, width, Access::Read)? else { return Ok(()) };
        let most = self.bounded(len, width, to, FindingKind::OutOfBoundsWrite)?;
        let most = most.min(self.bounded(len, width, from, FindingKind::OutOfBoundsRead)?);
        if !matches!((to, from), (ObjectPlace::At(..), ObjectPlace::At(..))) {
            let len = self.value(len);
            let len = self.concretise(len, width);
            return self.copy_known(dst, src, len);
        }
        let bytes: Vec<Value> = (0..most).map(|i| self.byte_at(from, i)).collect();
        for (i, byte) in bytes.into_iter().enumerate() {
            self.put_if_within(to, i as u64, byte, len, width);
        }
        Ok(())
    }

    /// Fills with one byte.
    ///
    /// # Errors
    /// If an access is an error.
    pub fn mem_set(&mut self, dst: Value, byte: Value, len: Value, width: u32) -> Result<(), Stop> {
        let Some(len) = len.as_term() else {
            return self.set_known(dst, byte, len.as_word().unwrap_or_default());
        };
        let dst = self.settled_for(dst, len, width)?;
        let Some(to) = self.beginning(dst, len, width, Access::Write)? else { return Ok(()) };
        let most = self.bounded(len, width, to, FindingKind::OutOfBoundsWrite)?;
        if matches!(to, ObjectPlace::Within(..)) {
            let len = self.value(len);
            let len = self.concretise(len, width);
            return self.set_known(dst, byte, len);
        }
        for i in 0..most {
            self.put_if_within(to, i, byte, len, width);
        }
        Ok(())
    }

    fn set_known(&mut self, dst: Value, byte: Value, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let to = self.resolve(dst, len, Access::Write)?;
        match (to, byte.as_word()) {
            (ObjectPlace::At(base, offset), Some(word)) => {
                self.state.memory.object_mut(base).write(offset, &vec![word as u8; len as usize]);
            }
            _ => {
                for i in 0..len {
                    self.put_byte(to, i, byte);
                }
            }
        }
        Ok(())
    }

    /// Where so many bytes begin; none if there are none. That is asked only where the pointer is wrong, which is no error then.
    fn beginning(&mut self, ptr: Value, len: Term, width: u32, access: Access) -> Result<Option<ObjectPlace>, Stop> {
        let place = self.resolve(ptr, 0, access);
        if !matches!(place, Err(Stop::Bug(..))) {
            return place.map(Some);
        }
        let zero = self.terms().bv(width, 0);
        let nothing = self.terms().eq(len, zero);
        let nothing = self.value(nothing);
        if self.branch(nothing) { Ok(None) } else { place.map(Some) }
    }

    /// Whether `len` bytes may be read at a pointer; nothing is read.
    ///
    /// # Errors
    /// If they may not.
    pub fn check_range(&mut self, ptr: Value, len: Value, width: u32) -> Result<(), Stop> {
        let Some(t) = len.as_term() else {
            return self.resolve(ptr, len.as_word().unwrap_or_default(), Access::Read).map(|_| ());
        };
        let ptr = self.settled_for(ptr, t, width)?;
        match self.beginning(ptr, t, width, Access::Read)? {
            None => {}
            Some(place @ ObjectPlace::At(..)) => {
                self.bounded(t, width, place, FindingKind::OutOfBoundsRead)?;
            }
            Some(ObjectPlace::Within(..)) => {
                let len = self.concretise(len, width);
                self.resolve(ptr, len, Access::Read)?;
            }
        }
        Ok(())
    }

    /// Bytes from a place to the end of its object, at least.
    fn room(&self, place: ObjectPlace) -> u64 {
        match place {
            ObjectPlace::At(base, offset) => self.object(base).size - offset as u64,
            ObjectPlace::Within(base, _) => self.object(base).size,
        }
    }

    /// Requires that a length is at most what there is at a known place; the largest number of bytes it can be.
    fn bounded(&mut self, len: Term, width: u32, place: ObjectPlace, kind: FindingKind) -> Result<u64, Stop> {
        let (ObjectPlace::At(base, _) | ObjectPlace::Within(base, _)) = place;
        // Nobody has asked yet how long an unknown object is.
        self.approach_within(base)?;
        let room = self.room(place);
        let limit = self.terms().bv(width, room);
        let fits = self.terms().ule(len, limit);
        let mut fits = self.value(fits);
        if let Some(number) = self.unknown_at(base)
            && !self.branch(fits)
        {
            self.beyond(number)?;
        }
        if let ObjectPlace::At(base, offset) = place {
            fits = self.fits_limit(fits, len, width, base, offset);
        }
        let exceeded = match self.object(base).limit {
            None => format!("exceeds the {room} bytes there are"),
            Some(_) => format!("goes past the end of {}", self.name_of(&self.object(base))),
        };
        self.require(fits, kind, || format!("a copy of symbolic length {exceeded}"))?;
        Ok(self.engine.terms.range(len).1.min(room))
    }

    /// The same where the object's size is a term.
    fn fits_limit(&mut self, fits: Value, len: Term, width: u32, base: u64, offset: usize) -> Value {
        let Some(limit) = self.object(base).limit else { return fits };
        let bits = self.pointer_bits();
        let terms = self.terms();
        let end = terms.bv(bits, offset as u64);
        let left = terms.sub(limit, end);
        let len = if width < bits { terms.zext(len, bits) } else { terms.extract(len, 0, bits) };
        let within = terms.ule(len, left);
        let whole = fits.to_term(terms, 1);
        let both = terms.and(whole, within);
        self.value(both)
    }

    fn byte_at(&mut self, place: ObjectPlace, i: u64) -> Value {
        match place {
            ObjectPlace::At(base, offset) => {
                let object = self.object(base);
                object.byte(&mut self.engine.terms, offset + i as usize)
            }
            ObjectPlace::Within(base, offset) => {
                let at = self.plus(offset, i);
                self.load_within(base, at, 8)
            }
        }
    }

    fn put_byte(&mut self, place: ObjectPlace, i: u64, byte: Value) {
        match place {
            ObjectPlace::At(base, offset) => {
                let object = self.state.memory.object_mut(base);
                object.store(&mut self.engine.terms, offset + i as usize, byte, 8, false);
            }
            ObjectPlace::Within(base, offset) => {
                let at = self.plus(offset, i);
                self.store_within(base, at, byte, 8);
            }
        }
    }

    /// Stores a byte if its position is less than the length.
    fn put_if_within(&mut self, place: ObjectPlace, i: u64, byte: Value, len: Term, width: u32) {
        let position = self.terms().bv(width, i);
        let within = self.terms().ult(position, len);
        let old = self.byte_at(place, i).to_term(self.terms(), 8);
        let new = byte.to_term(self.terms(), 8);
        let t = self.terms().ite(within, new, old);
        let value = self.value(t);
        self.put_byte(place, i, value);
    }

    fn plus(&mut self, offset: Term, i: u64) -> Term {
        let bits = self.pointer_bits();
        let i = self.terms().bv(bits, i);
        self.terms().add(offset, i)
    }
}
