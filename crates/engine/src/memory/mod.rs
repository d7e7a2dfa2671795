//! The address space of a state: which object is where.
//!
//! Addresses are plain numbers, concrete and deterministic. An address tells its object without a search: the space is
//! divided into *classes*, one per power of two of slot size and region; a class's slots lie side by side, and each object
//! has a slot to itself with room before and after it, so that a pointer just past an object's end is still known to be its.
//! Slots of dead objects keep a tombstone and are reused late, so that a use after free or return is seen as such.
//!
//! Invariant: cloning is cheap (classes and chunks of their slots are shared until written), and equal runs give equal addresses.

mod content;
mod object;

use std::rc::Rc;

use taw_expr::Marks;

use crate::holds::HoldsTerms;
use crate::value::mask;
pub use object::{Object, ObjectKind, Status, bytes_of, word_of};

/// Which part of the space an object lives in; they differ in how soon slots are reused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// Globals, functions, heap.
    Heap,
    /// Locals, and what `alloca` gives.
    Stack,
}

/// What uninitialised memory is filled with; not zero, so that reliance on it shows.
pub const FILL: u8 = 0xab;

/// The bytes that all live locals may have together: the usual stack of 8 MiB.
const STACK: u64 = 8 << 20;

const CHUNK: usize = 32;
type Slot = Option<Rc<Object>>;
type Chunk = Rc<[Slot; CHUNK]>;

/// Slots of one size.
#[derive(Clone, Debug, Default)]
struct Class {
    chunks: Vec<Chunk>,
    /// Slots handed out so far.
    len: u64,
    /// Where to look for the next dead slot, once there are enough of them.
    next: u64,
}

impl Class {
    fn slot(&self, index: u64) -> Option<&Rc<Object>> {
        self.chunks.get(index as usize / CHUNK)?[index as usize % CHUNK].as_ref()
    }

    #[inline]
    fn slot_mut(&mut self, index: u64) -> &mut Slot {
        let chunk = &mut self.chunks[index as usize / CHUNK];
        &mut Rc::make_mut(chunk)[index as usize % CHUNK]
    }

    /// The slot for a new object: a fresh one until `quarantine` are in use, then a dead one if one is near.
    fn take(&mut self, quarantine: u64) -> u64 {
        if self.len >= quarantine {
            for _ in 0..8 {
                let at = self.next % self.len;
                self.next += 1;
                if self.slot(at).is_none_or(|o| o.status != Status::Live && !o.kept) {
                    return at;
                }
            }
        }
        let at = self.len;
        self.len += 1;
        if at as usize / CHUNK == self.chunks.len() {
            self.chunks.push(Rc::new([const { None }; CHUNK]));
        }
        at
    }
}

impl HoldsTerms for Class {
    fn mark(&self, marks: &mut Marks) {
        let Class { chunks, len: _, next: _ } = self;
        for chunk in chunks {
            if marks.is_first(chunk) {
                chunk.as_slice().mark(marks);
            }
        }
    }
}

impl HoldsTerms for Memory {
    fn mark(&self, marks: &mut Marks) {
        let Memory { geometry: _, positions: _, classes, heap_bytes: _, stack_bytes: _ } = self;
        classes.mark(marks);
    }
}

/// How addresses are divided; depends on the pointer width.
#[derive(Clone, Copy, Debug)]
struct Geometry {
    /// log2 of the bytes of one class.
    class_bits: u32,
    /// Number of slot sizes: as many as pointers have bits.
    sizes: u32,
}

const UNUSED: u8 = u8::MAX;

const SMALLEST: u32 = 5;

/// log2 of the bytes of one class where pointers have 32 bits.
const NARROW: u32 = 26;

/// The class number under which nothing has an address.
const NOBODYS: u64 = 1;
/// The class number under which places behind instructions have their addresses.
const RETURNS: u64 = 2;
/// The class number under which functions have their addresses; no object's slots are that small.
const FUNCTIONS: u64 = 3;
/// The class number under which blocks have their addresses.
const BLOCKS: u64 = 4;

/// The objects of a state.
#[derive(Clone, Debug)]
pub struct Memory {
    geometry: Geometry,
    /// For each class number its position in `classes`, or `UNUSED`: few classes are used, and a state is to be small.
    positions: Rc<[u8; 128]>,
    classes: Vec<Rc<Class>>,
    /// Bytes of live heap objects.
    pub heap_bytes: u64,
    /// Bytes of live objects on the stack.
    stack_bytes: u64,
}

impl Memory {
    /// An empty space for pointers of 32 or 64 bits.
    pub fn new(pointer_bits: u32) -> Self {
        let geometry = if pointer_bits >= 64 {
            Geometry { class_bits: 40, sizes: 64 }
        } else {
            Geometry { class_bits: NARROW, sizes: 32 }
        };
        Memory { geometry, positions: Rc::new([UNUSED; 128]), classes: Vec::new(), heap_bytes: 0, stack_bytes: 0 }
    }

    /// The width of an address.
    #[inline]
    pub fn pointer_bits(&self) -> u32 {
        self.geometry.sizes
    }

    /// Addresses at which nothing ever is: for whoever needs some of their own.
    pub(crate) fn free_region(&self) -> std::ops::Range<u64> {
        NOBODYS << self.geometry.class_bits..(NOBODYS + 1) << self.geometry.class_bits
    }

    /// The address of the function with that number.
    pub fn function_address(&self, number: usize) -> u64 {
        (FUNCTIONS << self.geometry.class_bits) + number as u64 * 16
    }

    /// The number of the function at that address.
    pub fn function_at(&self, address: u64) -> Option<usize> {
        let offset = address.wrapping_sub(FUNCTIONS << self.geometry.class_bits);
        (offset >> self.geometry.class_bits == 0 && offset.is_multiple_of(16)).then_some(offset as usize / 16)
    }

    /// The address of the block with that number (numbered across the program).
    pub fn block_address(&self, number: usize) -> u64 {
        (BLOCKS << self.geometry.class_bits) + number as u64 * 16
    }

    /// The address behind the instruction with that number (numbered across the program).
    pub fn address_after(&self, number: u64) -> u64 {
        (RETURNS << self.geometry.class_bits) + number + 1
    }

    /// Makes an object and returns its address, or `None` if there is no room for one that large.
    pub fn allocate(&mut self, region: Region, size: u64, align: u64, kind: ObjectKind, fill: u8) -> Option<u64> {
        if region == Region::Stack && size > STACK.saturating_sub(self.stack_bytes) {
            return None;
        }
        let front = align.checked_next_power_of_two()?.max(16);
        let room = size.checked_add(front)?.checked_add((size / 8).max(12))?;
        let bits = room.checked_next_power_of_two()?.trailing_zeros().max(SMALLEST);
        if bits > self.geometry.class_bits {
            return None;
        }
        let number = self.class_number(region, bits);
        let quarantine = if region == Region::Stack { 1 << 10 } else { 1 << 16 };
        let class = self.class_mut(number);
        let index = class.take(quarantine);
        let start = ((number as u64) << self.geometry.class_bits).checked_add(index << bits)?;
        if index << bits >= 1 << self.geometry.class_bits {
            return None;
        }
        let base = start + front;
        *self.class_mut(number).slot_mut(index) = Some(Rc::new(Object::new(base, size, kind, fill)));
        if kind == ObjectKind::Heap {
            self.heap_bytes += size;
        }
        if region == Region::Stack {
            self.stack_bytes += size;
        }
        Some(base)
    }

    fn class_number(&self, region: Region, bits: u32) -> usize {
        (bits + if region == Region::Stack { self.geometry.sizes } else { 0 }) as usize
    }

    /// The class with that number, made if there is none yet.
    fn class_mut(&mut self, number: usize) -> &mut Class {
        if self.positions[number] == UNUSED {
            Rc::make_mut(&mut self.positions)[number] = self.classes.len() as u8;
            self.classes.push(Rc::default());
        }
        Rc::make_mut(&mut self.classes[self.positions[number] as usize])
    }

    /// The slot that an address falls into: class number and index.
    #[inline]
    fn place(&self, address: u64) -> (usize, u64) {
        let number = (address >> self.geometry.class_bits) as usize;
        let bits = number as u32 & (self.geometry.sizes - 1);
        let index = (address & ((1 << self.geometry.class_bits) - 1)) >> bits;
        (number, index)
    }

    /// Whether a word, or one of those it was joined of, may be an address at all: in the step loop most are none.
    #[inline]
    pub(crate) fn is_large(words: u64) -> bool {
        words >= u64::from(SMALLEST) << NARROW
    }

    /// Whether an object may be there.
    #[inline]
    pub fn is_address(&self, word: u64) -> bool {
        let number = word >> self.geometry.class_bits;
        number.wrapping_sub(u64::from(SMALLEST)) < 128 - u64::from(SMALLEST)
    }

    /// The first and the last address that something may have: an object, or code.
    pub(crate) fn span(&self) -> (u64, u64) {
        let bits = self.geometry.class_bits;
        (RETURNS << bits, ((128 << bits) - 1) & mask(self.pointer_bits()))
    }

    /// Whether a number is where nothing lies natively either: null and its neighbours, -1.
    pub(crate) fn is_nowhere(&self, word: u64) -> bool {
        const EDGE: u64 = 4096;
        word < EDGE || word > mask(self.pointer_bits()) - EDGE
    }

    /// Whether two addresses are in one slot.
    #[inline]
    pub fn in_one_slot(&self, a: u64, b: u64) -> bool {
        let number = a >> self.geometry.class_bits;
        let bits = number as u32 & (self.geometry.sizes - 1);
        (a ^ b) >> bits == 0
    }

    /// The object whose slot the address is in, live or dead; the address need not be within its bounds.
    #[inline]
    pub fn object(&self, address: u64) -> Option<&Rc<Object>> {
        let (number, index) = self.place(address);
        let position = *self.positions.get(number)?;
        self.classes.get(position as usize)?.slot(index)
    }

    /// The object at an address, to be changed: from here on this memory's own. It must exist.
    #[inline]
    pub fn object_mut(&mut self, address: u64) -> &mut Object {
        let (number, index) = self.place(address);
        let class = Rc::make_mut(&mut self.classes[self.positions[number] as usize]);
        let slot = class.slot_mut(index).as_mut().expect("the caller has seen the object");
        Rc::make_mut(slot)
    }

    /// Ends an object's life.
    pub fn retire(&mut self, address: u64, status: Status) {
        let (number, index) = self.place(address);
        let slot = Rc::make_mut(&mut self.classes[self.positions[number] as usize]).slot_mut(index);
        let object = slot.as_ref().expect("the caller has seen the object");
        if object.kind == ObjectKind::Heap && object.status == Status::Live {
            self.heap_bytes -= object.size;
        }
        if number as u32 >= self.geometry.sizes && object.status == Status::Live {
            self.stack_bytes -= object.size;
        }
        *slot = Some(Rc::new(object.tombstone(status)));
    }

    /// Ends the life of a local whose frame goes on: its slot is kept for it until that returns or another takes its place.
    pub fn suspend(&mut self, address: u64) {
        self.retire(address, Status::OutOfScope);
        self.object_mut(address).kept = true;
    }

    /// A suspended local lives again, as this object.
    pub fn revive(&mut self, object: Object) {
        self.stack_bytes += object.size;
        let base = object.base;
        *self.object_mut(base) = object;
    }

    /// A suspended local does not live again: another object has taken its place.
    pub fn replace(&mut self, address: u64) {
        let object = self.object_mut(address);
        (object.kept, object.status) = (false, Status::Replaced);
    }

    /// Every live object, by address.
    pub fn live(&self) -> impl Iterator<Item = &Rc<Object>> + '_ {
        let used = self.positions.iter().filter_map(|p| self.classes.get(*p as usize));
        used.flat_map(|c| &c.chunks).flat_map(|chunk| chunk.iter()).flatten().filter(|o| o.status == Status::Live)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_tells_its_object() {
        for pointer_bits in [32, 64] {
            let mut memory = Memory::new(pointer_bits);
            let mut bases = Vec::new();
            for size in [0, 1, 4, 16, 17, 100, 4096, 1 << 20] {
                for region in [Region::Heap, Region::Stack] {
                    bases.push((memory.allocate(region, size, 8, ObjectKind::Heap, 0).expect("room"), size));
                }
            }
            for (base, size) in bases {
                assert_eq!(base % 16, 0);
                for address in [base - 1, base, base + size, base + size + 11] {
                    assert_eq!(memory.object(address).expect("an object").base, base);
                }
                assert!(pointer_bits == 64 || base + size < 1 << 32);
            }
        }
    }

    #[test]
    fn clones_do_not_see_each_others_writes() {
        let mut a = Memory::new(64);
        let base = a.allocate(Region::Heap, 8, 8, ObjectKind::Heap, 0).expect("room");
        let mut b = a.clone();
        b.object_mut(base).write(0, &[7]);
        assert_eq!(a.object(base).expect("an object").known(0, 1), Some(&[0][..]));
        assert_eq!(b.object(base).expect("an object").known(0, 1), Some(&[7][..]));
    }

    #[test]
    fn dead_slots_are_reused_late() {
        let mut memory = Memory::new(64);
        let first = memory.allocate(Region::Stack, 8, 8, ObjectKind::Internal("x"), 0).expect("room");
        memory.retire(first, Status::Returned);
        let again = memory.allocate(Region::Stack, 8, 8, ObjectKind::Internal("x"), 0).expect("room");
        assert_ne!(first, again);
        for _ in 0..10_000 {
            let base = memory.allocate(Region::Stack, 8, 8, ObjectKind::Internal("x"), 0).expect("room");
            memory.retire(base, Status::Returned);
        }
        assert!(memory.classes.iter().all(|c| c.len < 2_000));
    }
}
