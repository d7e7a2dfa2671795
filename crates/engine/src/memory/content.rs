//! The bytes of an object: in one piece if there are few, in shared pages if there are many, so that a path that changes one byte
//! of a large buffer does not copy all of it.
//!
//! Invariant: the cells of a page are none or as many as its bytes; where a cell is not [`CONCRETE`], the byte means nothing.

use std::rc::Rc;

use taw_expr::{Marks, Term};

use crate::holds::HoldsTerms;
use crate::provenance::Provenance;

/// What a byte is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    /// Byte number `byte` (0 = least significant) of this term; if there is none, `byte` is one of the two below.
    pub(super) term: Option<Term>,
    pub(super) byte: u32,
    /// What the stored value was derived from.
    pub(super) provenance: Provenance,
}

impl Cell {
    const fn without_term(byte: u32) -> Self {
        Cell { term: None, byte, provenance: Provenance::UNKNOWN }
    }
}

/// The byte itself.
pub(super) const CONCRETE: Cell = Cell::without_term(0);
/// The byte of the object's array.
pub(super) const BELOW: Cell = Cell::without_term(1);

/// Bytes of a page; objects of at most so many are one piece.
const PAGE: usize = 512;

#[derive(Clone, Debug)]
struct Page {
    bytes: Box<[u8]>,
    cells: Box<[Cell]>,
}

impl Page {
    fn new(size: usize, fill: u8) -> Self {
        Page { bytes: vec![fill; size].into(), cells: Box::default() }
    }

    #[inline]
    fn known(&self, offset: usize, len: usize) -> Option<&[u8]> {
        let bytes = self.bytes.get(offset..offset + len)?;
        self.knows(offset, len).then_some(bytes)
    }

    #[inline]
    fn knows(&self, offset: usize, len: usize) -> bool {
        self.cells.is_empty() || self.cells[offset..offset + len].iter().all(|c| *c == CONCRETE)
    }

    fn cells_mut(&mut self) -> &mut [Cell] {
        if self.cells.is_empty() {
            self.cells = vec![CONCRETE; self.bytes.len()].into();
        }
        &mut self.cells
    }
}

/// The bytes of an object.
#[derive(Clone, Debug)]
pub(super) struct ObjectContent(Pages);

#[derive(Clone, Debug)]
enum Pages {
    One(Page),
    Many { pages: Vec<Rc<Page>>, size: usize },
}

impl HoldsTerms for Page {
    fn mark(&self, marks: &mut Marks) {
        let Page { bytes: _, cells } = self;
        for Cell { term, byte: _, provenance: _ } in cells {
            term.mark(marks);
        }
    }
}

impl HoldsTerms for ObjectContent {
    fn mark(&self, marks: &mut Marks) {
        match &self.0 {
            Pages::One(page) => page.mark(marks),
            Pages::Many { pages, size: _ } => pages.mark(marks),
        }
    }
}

impl ObjectContent {
    pub(super) fn new(size: usize, fill: u8) -> Self {
        if size <= PAGE {
            return ObjectContent(Pages::One(Page::new(size, fill)));
        }
        let whole = Rc::new(Page::new(PAGE, fill));
        ObjectContent(Pages::Many { pages: vec![whole; size.div_ceil(PAGE)], size })
    }

    pub(super) fn len(&self) -> usize {
        match &self.0 {
            Pages::One(page) => page.bytes.len(),
            Pages::Many { size, .. } => *size,
        }
    }

    #[inline]
    fn page(&self, offset: usize) -> (&Page, usize) {
        match &self.0 {
            Pages::One(page) => (page, offset),
            Pages::Many { pages, .. } => (&pages[offset / PAGE], offset % PAGE),
        }
    }

    #[inline]
    fn page_mut(&mut self, offset: usize) -> (&mut Page, usize) {
        match &mut self.0 {
            Pages::One(page) => (page, offset),
            Pages::Many { pages, .. } => (Rc::make_mut(&mut pages[offset / PAGE]), offset % PAGE),
        }
    }

    /// The bytes, if they are concrete and in one piece.
    #[inline]
    pub(super) fn known(&self, offset: usize, len: usize) -> Option<&[u8]> {
        let (page, at) = self.page(offset);
        page.known(at, len)
    }

    /// The bytes, to be overwritten, if they are concrete and in one piece.
    #[inline]
    pub(super) fn known_mut(&mut self, offset: usize, len: usize) -> Option<&mut [u8]> {
        let (page, at) = self.page_mut(offset);
        if !page.knows(at, len) {
            return None;
        }
        page.bytes.get_mut(at..at + len)
    }

    pub(super) fn is_concrete(&self, offset: usize, len: usize) -> bool {
        pieces(offset, len).all(|(at, n)| {
            let (page, at) = self.page(at);
            page.knows(at, n)
        })
    }

    #[inline]
    pub(super) fn byte(&self, offset: usize) -> u8 {
        let (page, at) = self.page(offset);
        page.bytes[at]
    }

    #[inline]
    pub(super) fn cell(&self, offset: usize) -> Cell {
        let (page, at) = self.page(offset);
        page.cells.get(at).copied().unwrap_or(CONCRETE)
    }

    pub(super) fn set_cell(&mut self, offset: usize, cell: Cell) {
        let (page, at) = self.page_mut(offset);
        page.cells_mut()[at] = cell;
    }

    /// Overwrites bytes with concrete ones.
    pub(super) fn write(&mut self, offset: usize, bytes: &[u8]) {
        for (at, n) in pieces(offset, bytes.len()) {
            let (page, inside) = self.page_mut(at);
            page.bytes[inside..inside + n].copy_from_slice(&bytes[at - offset..at - offset + n]);
            if !page.cells.is_empty() {
                page.cells[inside..inside + n].fill(CONCRETE);
                if n == page.cells.len() {
                    page.cells = Box::default();
                }
            }
        }
    }

    /// Makes every byte the array's.
    pub(super) fn put_below(&mut self) {
        for (at, n) in pieces(0, self.len()) {
            let (page, inside) = self.page_mut(at);
            page.cells_mut()[inside..inside + n].fill(BELOW);
        }
    }

    /// Copies bytes and cells.
    pub(super) fn copy_from(&mut self, offset: usize, from: &ObjectContent, from_offset: usize, len: usize) {
        for (at, n) in pieces(from_offset, len) {
            let (page, inside) = from.page(at);
            let to = offset + at - from_offset;
            self.write(to, &page.bytes[inside..inside + n]);
            if !page.knows(inside, n) {
                for i in 0..n {
                    self.set_cell(to + i, page.cells[inside + i]);
                }
            }
        }
    }
}

/// A range cut at page boundaries: offset and length of each piece. Right for content in one piece too, which is never longer.
fn pieces(offset: usize, len: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut at = offset;
    let end = offset + len;
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let n = (PAGE - at % PAGE).min(end - at);
        let piece = (at, n);
        at += n;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_shared_until_written() {
        let mut a = ObjectContent::new(10 * PAGE, 0);
        let b = a.clone();
        a.write(3 * PAGE - 1, &[1, 2]);
        assert_eq!((b.byte(3 * PAGE - 1), a.byte(3 * PAGE - 1), a.byte(3 * PAGE)), (0, 1, 2));
        let (Pages::Many { pages: mine, .. }, Pages::Many { pages: others, .. }) = (&a.0, &b.0) else {
            panic!("ten pages are many")
        };
        let copied = mine.iter().zip(others).filter(|(a, b)| !Rc::ptr_eq(a, b)).count();
        assert_eq!(copied, 2);
    }

    #[test]
    fn a_range_across_pages_is_read_and_copied_as_one() {
        let mut content = ObjectContent::new(3 * PAGE, 7);
        let bytes: Vec<u8> = (0..PAGE + 9).map(|i| i as u8).collect();
        content.write(PAGE - 4, &bytes);
        assert!(content.known(PAGE - 4, 8).is_none(), "two pieces");
        assert!(content.is_concrete(0, 3 * PAGE));
        let mut copy = ObjectContent::new(2 * PAGE, 0);
        copy.copy_from(5, &content, PAGE - 4, bytes.len());
        assert!((0..bytes.len()).all(|i| copy.byte(5 + i) == bytes[i]));
    }

    #[test]
    fn a_cell_hides_a_byte_until_it_is_written_again() {
        let mut content = ObjectContent::new(2 * PAGE, 0);
        content.set_cell(PAGE + 3, BELOW);
        assert!(!content.is_concrete(0, 2 * PAGE) && content.is_concrete(0, PAGE));
        assert!(content.known_mut(PAGE, 8).is_none());
        content.write(PAGE, &[1; 8]);
        assert_eq!(content.known(PAGE, 8), Some(&[1; 8][..]));
    }
}
