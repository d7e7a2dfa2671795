//! A list that grows at its end and is shared: what paths have in common is there once.
//!
//! Each element knows the one before it, so lists that began alike are the branches of a tree: cloning one and adding to either costs
//! one element. Invariant: an element that is shared never changes. Boundary: what the elements are is others' business.

use std::fmt;
use std::rc::Rc;

use taw_expr::Marks;

use crate::holds::HoldsTerms;

/// A shared list.
pub struct Trail<T> {
    last: Option<Rc<Element<T>>>,
}

struct Element<T> {
    before: Trail<T>,
    /// How many elements there are up to and with this one.
    len: u32,
    value: T,
}

impl<T> Trail<T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |last| last.len as usize)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// The newest element.
    pub fn last(&self) -> Option<&T> {
        self.last.as_ref().map(|last| &last.value)
    }

    /// The newest element, to be changed, if nobody shares it.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.last.as_mut().and_then(Rc::get_mut).map(|last| &mut last.value)
    }

    /// Adds an element.
    pub fn push(&mut self, value: T) {
        let before = Trail { last: self.last.take() };
        let len = before.len() as u32 + 1;
        self.last = Some(Rc::new(Element { before, len, value }));
    }

    /// The elements, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &T> + '_ {
        self.elements().map(|element| &element.value)
    }

    /// The elements, oldest first.
    pub fn to_vec(&self) -> Vec<&T> {
        self.since(0)
    }

    /// The elements after the first `len`, oldest first.
    pub fn since(&self, len: usize) -> Vec<&T> {
        let mut all: Vec<&T> = self.newest_first().take(self.len().saturating_sub(len)).collect();
        all.reverse();
        all
    }

    /// The elements with what they know, newest first.
    fn elements(&self) -> impl Iterator<Item = &Element<T>> + '_ {
        std::iter::successors(self.last.as_deref(), |element| element.before.last.as_deref())
    }
}

/// Lists that began alike are looked at once as far as they are.
impl<T: HoldsTerms> HoldsTerms for Trail<T> {
    fn mark(&self, marks: &mut Marks) {
        let mut at = self;
        while let Some(last) = at.last.as_ref().filter(|last| marks.is_first(last)) {
            last.value.mark(marks);
            at = &last.before;
        }
    }
}

impl<T> Clone for Trail<T> {
    fn clone(&self) -> Self {
        Trail { last: self.last.clone() }
    }
}

impl<T> Default for Trail<T> {
    fn default() -> Self {
        Trail { last: None }
    }
}

impl<T: fmt::Debug> fmt::Debug for Trail<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.to_vec()).finish()
    }
}

/// Element by element: that each frees the one before it would take a stack as deep as the list is long.
impl<T> Drop for Trail<T> {
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(mut element) = next.and_then(Rc::into_inner) {
            next = element.before.last.take();
        }
    }
}

/// The values of a list as a slice, oldest first, brought up to date as far as the list differs from the one before.
///
/// A search asks of a path and then of one that differs in its last conditions: writing that out costs the difference.
pub(crate) struct WrittenOut<T, U> {
    /// What is written out; keeps its elements where they are, so that an address tells one from another.
    of: Trail<T>,
    elements: Vec<*const Element<T>>,
    values: Vec<U>,
}

impl<T, U> Default for WrittenOut<T, U> {
    fn default() -> Self {
        WrittenOut { of: Trail::default(), elements: Vec::new(), values: Vec::new() }
    }
}

impl<T, U: Copy> WrittenOut<T, U> {
    /// The values of `list`.
    pub(crate) fn of(&mut self, list: &Trail<T>, value: impl Fn(&T) -> U) -> &[U] {
        let known = |element: &Element<T>| {
            self.elements.get(element.len as usize - 1).is_some_and(|known| std::ptr::eq(*known, element))
        };
        let new = list.elements().take_while(|element| !known(element)).count();
        let shared = list.len() - new;
        self.elements.truncate(shared);
        self.values.truncate(shared);
        for element in list.elements().take(new) {
            self.elements.push(element);
            self.values.push(value(&element.value));
        }
        self.elements[shared..].reverse();
        self.values[shared..].reverse();
        self.of = list.clone();
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trail(values: impl IntoIterator<Item = u32>) -> Trail<u32> {
        let mut trail = Trail::default();
        values.into_iter().for_each(|value| trail.push(value));
        trail
    }

    fn values(trail: &Trail<u32>) -> Vec<u32> {
        trail.to_vec().into_iter().copied().collect()
    }

    #[test]
    fn what_was_pushed_comes_in_order() {
        let trail = trail(0..5);
        assert_eq!((trail.len(), trail.last()), (5, Some(&4)));
        assert_eq!(values(&trail), [0, 1, 2, 3, 4]);
        assert_eq!(trail.newest_first().copied().collect::<Vec<_>>(), [4, 3, 2, 1, 0]);
        assert_eq!(trail.since(3), [&3, &4]);
        assert_eq!(trail.since(9), [&0; 0]);
        assert!(Trail::<u32>::default().is_empty() && Trail::<u32>::default().last().is_none());
    }

    #[test]
    fn branches_do_not_see_each_other_and_share_what_was_before() {
        let mut a = trail(0..3);
        let mut b = a.clone();
        let common = a.last.clone();
        a.push(10);
        b.push(20);
        assert_eq!((values(&a), values(&b)), (vec![0, 1, 2, 10], vec![0, 1, 2, 20]));
        for trail in [&a, &b] {
            let before = &trail.last.as_ref().expect("not empty").before.last;
            assert!(Rc::ptr_eq(before.as_ref().expect("three"), common.as_ref().expect("three")));
        }
        *a.last_mut().expect("its own") = 11;
        assert!(a.last() == Some(&11) && a.clone().last_mut().is_none());
    }

    #[test]
    fn a_long_list_needs_no_stack_to_go() {
        let long = trail(0..1_000_000);
        let branches: Vec<Trail<u32>> = (0..10).map(|_| long.clone()).collect();
        drop(long);
        assert_eq!(branches[0].len(), 1_000_000);
        std::thread::Builder::new()
            .stack_size(64 << 10)
            .spawn(|| drop(trail(0..1_000_000)))
            .expect("a thread")
            .join()
            .expect("no overflow");
    }

    /// The definition, over lists that grow, shrink and jump as a search makes them.
    #[test]
    fn a_list_written_out_is_the_list() {
        let mut seed = 7u64;
        let mut random = |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        let mut lists = vec![Trail::default()];
        let mut written = WrittenOut::default();
        for round in 0..3000 {
            let mut next = lists[random(lists.len())].clone();
            (0..random(4)).for_each(|_| next.push(round));
            if random(9) == 0 {
                lists.clear();
            }
            lists.push(next);
            let asked = &lists[random(lists.len())];
            assert_eq!(written.of(asked, |value| *value), values(asked));
        }
    }
}
