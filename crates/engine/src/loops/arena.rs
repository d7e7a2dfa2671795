//! Memory while a loop is run for its result: what the path's memory was at the loop's header, and what the loop has made of it since.
//!
//! An object is copied when it is first touched. Invariant: an access that is not right for the engine, or that needs a byte nobody has given a value, is
//! refused; so is a write that is not expected, because nobody would look at it afterwards.

use rustc_hash::FxHashMap;

use crate::memory::{FILL, Memory, Object, ObjectKind, Status, bytes_of, word_of};

/// An object as the loop has it.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) base: u64,
    pub(super) bytes: Vec<u8>,
    /// Where it may be written.
    pub(super) open: std::ops::Range<usize>,
    /// Where it was written.
    pub(super) written: std::ops::Range<usize>,
}

/// What an object holds when it is first touched, and where it may be written; nothing if it may not be touched.
pub(super) type Fill<'a> = dyn FnMut(&Object) -> Option<(Vec<u8>, std::ops::Range<usize>)> + 'a;

/// All of it.
pub(super) struct Arena<'a> {
    memory: &'a Memory,
    fill: &'a mut Fill<'a>,
    pub(super) pieces: Vec<Piece>,
    by_base: FxHashMap<u64, usize>,
    /// The piece that was used last.
    last: usize,
    /// Pieces of functions that were called, the newest last: their numbers.
    locals: Vec<usize>,
    next_local: u64,
    big_endian: bool,
}

impl<'a> Arena<'a> {
    pub(super) fn new(memory: &'a Memory, big_endian: bool, fill: &'a mut Fill<'a>) -> Self {
        Arena {
            memory,
            fill,
            pieces: Vec::new(),
            by_base: FxHashMap::default(),
            last: 0,
            locals: Vec::new(),
            next_local: memory.free_region().start,
            big_endian,
        }
    }

    pub(super) fn memory(&self) -> &'a Memory {
        self.memory
    }

    /// The piece that `len` bytes at an address are in, and where.
    #[inline]
    fn find(&mut self, address: u64, len: usize) -> Option<(usize, usize)> {
        if let Some(piece) = self.pieces.get(self.last) {
            let offset = address.wrapping_sub(piece.base);
            if offset < piece.bytes.len() as u64 && piece.bytes.len() - offset as usize >= len {
                return Some((self.last, offset as usize));
            }
        }
        self.find_slow(address, len)
    }

    #[cold]
    fn find_slow(&mut self, address: u64, len: usize) -> Option<(usize, usize)> {
        let at = match self.memory.free_region().contains(&address) {
            true => *self.locals.iter().rev().find(|at| self.pieces[**at].base <= address)?,
            false => self.piece_of(address)?,
        };
        let piece = &self.pieces[at];
        let offset = address.wrapping_sub(piece.base);
        let is_inside = offset <= piece.bytes.len() as u64 && piece.bytes.len() - offset as usize >= len;
        is_inside.then(|| {
            self.last = at;
            (at, offset as usize)
        })
    }

    /// The piece of an object of the path's, made if need be.
    fn piece_of(&mut self, address: u64) -> Option<usize> {
        let object = self.memory.object(address)?;
        if let Some(&at) = self.by_base.get(&object.base) {
            return Some(at);
        }
        let is_plain =
            object.status == Status::Live && object.limit.is_none() && !matches!(object.kind, ObjectKind::Unknown(_));
        if !is_plain {
            return None;
        }
        let (bytes, open) = (self.fill)(object)?;
        let open = if object.constant { 0..0 } else { open };
        Some(self.add(object.base, bytes, open))
    }

    fn add(&mut self, base: u64, bytes: Vec<u8>, open: std::ops::Range<usize>) -> usize {
        self.pieces.push(Piece { base, bytes, open, written: 0..0 });
        self.by_base.insert(base, self.pieces.len() - 1);
        self.pieces.len() - 1
    }

    /// `len` bytes.
    pub(super) fn read(&mut self, address: u64, len: usize) -> Option<&[u8]> {
        let (at, offset) = self.find(address, len)?;
        Some(&self.pieces[at].bytes[offset..offset + len])
    }

    /// `len` bytes, to be overwritten.
    pub(super) fn write(&mut self, address: u64, len: usize) -> Option<&mut [u8]> {
        let (at, offset) = self.find(address, len)?;
        let (piece, end) = (&mut self.pieces[at], offset + len);
        if offset < piece.open.start || end > piece.open.end {
            return None;
        }
        piece.written = match piece.written.is_empty() {
            true => offset..end,
            false => piece.written.start.min(offset)..piece.written.end.max(end),
        };
        Some(&mut piece.bytes[offset..end])
    }

    #[inline]
    pub(super) fn load(&mut self, address: u64, width: u32) -> Option<u64> {
        let big_endian = self.big_endian;
        let bytes = self.read(address, width.div_ceil(8) as usize)?;
        Some(word_of(bytes, big_endian) & crate::value::mask(width))
    }

    #[inline]
    pub(super) fn store(&mut self, address: u64, width: u32, value: u64) -> Option<()> {
        let (len, big_endian) = (width.div_ceil(8) as usize, self.big_endian);
        self.write(address, len)?.copy_from_slice(&bytes_of(value, len, big_endian)[..len]);
        Some(())
    }

    /// How many local variables of calls there are: [`Arena::pop_locals`] goes back to that.
    pub(super) fn mark(&self) -> usize {
        self.locals.len()
    }

    /// A local variable of a function that is called.
    pub(super) fn push_local(&mut self, size: u64, align: u64) -> Option<u64> {
        let region = self.memory.free_region();
        let align = align.max(16);
        let base = self.next_local.checked_next_multiple_of(align)?;
        // One address between two objects is neither's.
        let next = base.checked_add(size)?.checked_add(16)?;
        if next > region.end || size > 1 << 20 {
            return None;
        }
        self.next_local = next;
        let at = self.add(base, vec![FILL; size as usize], 0..size as usize);
        self.locals.push(at);
        Some(base)
    }

    /// A call returns: its variables are gone.
    pub(super) fn pop_locals(&mut self, mark: usize) {
        while self.locals.len() > mark {
            let Some(at) = self.locals.pop() else { return };
            self.next_local = self.pieces[at].base;
            self.by_base.remove(&self.pieces[at].base);
            // Variables of calls come and go in order, but objects of the path may have been touched in between.
            if at + 1 == self.pieces.len() {
                self.pieces.pop();
            } else {
                self.pieces[at] = Piece { base: 0, bytes: Vec::new(), open: 0..0, written: 0..0 };
            }
        }
    }

    /// The life of a variable begins: it holds nothing in particular.
    pub(super) fn begin(&mut self, address: u64) -> Option<()> {
        if let Some((at, 0)) = self.find(address, 0) {
            let piece = &mut self.pieces[at];
            piece.bytes.fill(FILL);
            piece.written = piece.open.clone();
            return (!piece.open.is_empty() || piece.bytes.is_empty()).then_some(());
        }
        let object = self.memory.object(address)?;
        let is_local = matches!(object.kind, ObjectKind::Stack(..)) && object.status == Status::OutOfScope;
        if !is_local || object.limit.is_some() || self.by_base.contains_key(&object.base) {
            return None;
        }
        let size = object.size as usize;
        self.add(object.base, vec![FILL; size], 0..size);
        Some(())
    }
}
