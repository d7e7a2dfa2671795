//! Bytes on their way from a writer to a reader.

use std::rc::Rc;

use taw_engine::HoldsTerms;
use taw_expr::Marks;

use super::content::Data;

/// Bytes in order; what was written last comes out last.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    pieces: imbl::Vector<Rc<Data>>,
    /// Bytes of the first piece that were taken.
    taken: usize,
    len: usize,
    total: u64,
}

impl HoldsTerms for Queue {
    fn mark(&self, marks: &mut Marks) {
        let Queue { pieces, taken: _, len: _, total: _ } = self;
        pieces.iter().for_each(|piece| piece.mark(marks));
    }
}

impl Queue {
    /// Number of bytes that were ever put.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds bytes at the end.
    pub fn put(&mut self, data: Data) {
        if !data.is_empty() {
            self.len += data.len();
            self.total += data.len() as u64;
            self.pieces.push_back(Rc::new(data));
        }
    }

    /// The first bytes, up to `len` of them, which stay.
    pub fn peek(&self, len: usize) -> Data {
        let mut out = Data::default();
        let mut skip = self.taken;
        for piece in &self.pieces {
            let take = (piece.len() - skip).min(len - out.len());
            out.append(&piece.part(skip, take));
            skip = 0;
            if out.len() == len {
                break;
            }
        }
        out
    }

    /// Takes the first bytes away, up to `len` of them.
    pub fn take(&mut self, len: usize) -> Data {
        let out = self.peek(len);
        self.len -= out.len();
        let mut left = out.len();
        while let Some(first) = self.pieces.front().map(|p| p.len() - self.taken)
            && left >= first
        {
            left -= first;
            self.taken = 0;
            self.pieces.pop_front();
        }
        self.taken += left;
        out
    }
}

/// A pipe, or a FIFO.
#[derive(Clone, Debug)]
pub struct Pipe {
    /// What was written and not yet read.
    pub queue: Queue,
    /// Open descriptions that read from it.
    pub readers: u32,
    /// Open descriptions that write to it.
    pub writers: u32,
    /// How much fits.
    pub capacity: usize,
    /// Whether it is a FIFO: opening one of its ends waits for the other.
    pub fifo: bool,
}

impl Default for Pipe {
    fn default() -> Self {
        Pipe { queue: Queue::default(), readers: 0, writers: 0, capacity: 1 << 16, fifo: false }
    }
}

impl HoldsTerms for Pipe {
    fn mark(&self, marks: &mut Marks) {
        let Pipe { queue, readers: _, writers: _, capacity: _, fifo: _ } = self;
        queue.mark(marks);
    }
}

impl Pipe {
    /// How much more fits.
    pub fn room(&self) -> usize {
        self.capacity.saturating_sub(self.queue.len())
    }
}

/// Writes of at most so many bytes happen at once or not at all.
pub const PIPE_BUF: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_out_in_the_order_they_went_in() {
        let mut queue = Queue::default();
        queue.put(Data::Known(b"abc".to_vec()));
        queue.put(Data::Known(b"de".to_vec()));
        assert_eq!(queue.take(2), Data::Known(b"ab".to_vec()));
        queue.put(Data::Known(b"f".to_vec()));
        assert_eq!(queue.peek(9), Data::Known(b"cdef".to_vec()));
        assert_eq!(queue.take(3), Data::Known(b"cde".to_vec()));
        assert_eq!((queue.take(9), queue.len()), (Data::Known(b"f".to_vec()), 0));
        assert!(queue.take(1).is_empty());
    }
}
