//! The bytes of a file: concrete or terms, in pages that are shared until they are written.
//!
//! Invariant: bytes past a page's end, and pages that are not there, are zero; no page reaches past the file's size.

use std::rc::Rc;

use taw_engine::{HoldsTerms, Value};
use taw_expr::Marks;

/// Bytes on their way between memory and a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Data {
    /// All concrete.
    Known(Vec<u8>),
    /// Some are terms of 8 bits.
    Mixed(Vec<Value>),
}

impl Default for Data {
    fn default() -> Self {
        Data::Known(Vec::new())
    }
}

impl HoldsTerms for Data {
    fn mark(&self, marks: &mut Marks) {
        match self {
            Data::Known(_) => {}
            Data::Mixed(values) => values.mark(marks),
        }
    }
}

impl Data {
    /// Values as data.
    pub fn of(values: &[Value]) -> Self {
        let known: Option<Vec<u8>> = values.iter().map(|v| v.as_word().map(|w| w as u8)).collect();
        known.map_or_else(|| Data::Mixed(values.to_vec()), Data::Known)
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        match self {
            Data::Known(bytes) => bytes.len(),
            Data::Mixed(values) => values.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One byte.
    pub fn byte(&self, i: usize) -> Value {
        match self {
            Data::Known(bytes) => Value::word(u64::from(bytes[i])),
            Data::Mixed(values) => values[i],
        }
    }

    /// Some of it.
    pub fn part(&self, from: usize, len: usize) -> Self {
        match self {
            Data::Known(bytes) => Data::Known(bytes[from..from + len].to_vec()),
            Data::Mixed(values) => Data::of(&values[from..from + len]),
        }
    }

    /// Every byte as a value.
    pub fn values(&self) -> Vec<Value> {
        match self {
            Data::Known(bytes) => known(bytes),
            Data::Mixed(values) => values.clone(),
        }
    }

    /// Adds other data at the end.
    pub fn append(&mut self, other: &Data) {
        match (&mut *self, other) {
            (Data::Known(mine), Data::Known(more)) => mine.extend(more),
            (Data::Mixed(mine), more) => mine.extend(more.values()),
            (Data::Known(mine), Data::Mixed(more)) => {
                let mut all = known(mine);
                all.extend(more);
                *self = Data::Mixed(all);
            }
        }
    }
}

/// Concrete bytes as values.
pub fn known(bytes: &[u8]) -> Vec<Value> {
    bytes.iter().map(|b| Value::word(u64::from(*b))).collect()
}

/// Bytes of a page; also what a block is to `st_blocks`.
const PAGE: u64 = 4096;

/// The content of a regular file.
#[derive(Clone, Debug, Default)]
pub struct FileContent {
    size: u64,
    pages: imbl::OrdMap<u64, Rc<Data>>,
}

impl HoldsTerms for FileContent {
    fn mark(&self, marks: &mut Marks) {
        let FileContent { size: _, pages } = self;
        pages.values().for_each(|page| page.mark(marks));
    }
}

impl FileContent {
    /// A file with these bytes.
    pub fn new(data: &Data) -> Self {
        let mut content = FileContent::default();
        content.write(0, data);
        content
    }

    /// Number of bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Blocks of 512 bytes that it takes.
    pub fn blocks(&self) -> u64 {
        self.pages.len() as u64 * (PAGE / 512)
    }

    /// Up to `len` bytes from an offset; fewer at the end.
    pub fn read(&self, offset: u64, len: u64) -> Data {
        let end = offset.saturating_add(len).min(self.size);
        let mut data = Data::default();
        let mut at = offset;
        while at < end {
            let (page, within) = (at / PAGE, (at % PAGE) as usize);
            let take = (PAGE - at % PAGE).min(end - at) as usize;
            let stored = self.pages.get(&page).map_or(0, |p| p.len().saturating_sub(within).min(take));
            if stored > 0 {
                data.append(&self.pages[&page].part(within, stored));
            }
            data.append(&Data::Known(vec![0; take - stored]));
            at += take as u64;
        }
        data
    }

    /// Overwrites bytes from an offset; the file grows as it must.
    pub fn write(&mut self, offset: u64, data: &Data) {
        let mut done = 0;
        while done < data.len() {
            let at = offset + done as u64;
            let (page, within) = (at / PAGE, (at % PAGE) as usize);
            let take = (PAGE as usize - within).min(data.len() - done);
            let old = self.pages.get(&page).cloned().unwrap_or_default();
            self.pages.insert(page, Rc::new(overwritten(&old, within, &data.part(done, take))));
            done += take;
        }
        if !data.is_empty() {
            self.size = self.size.max(offset + data.len() as u64);
        }
    }

    /// Cuts or extends to a size; what is new is zero.
    pub fn resize(&mut self, size: u64) {
        if size < self.size {
            let (page, within) = (size / PAGE, (size % PAGE) as usize);
            let (mut kept, last, _) = self.pages.split_lookup(&page);
            if let Some(last) = last.filter(|_| within > 0) {
                kept.insert(page, Rc::new(last.part(0, last.len().min(within))));
            }
            self.pages = kept;
        }
        self.size = size;
    }
}

fn overwritten(old: &Data, at: usize, new: &Data) -> Data {
    let mut page = old.part(0, old.len().min(at));
    page.append(&Data::Known(vec![0; at - page.len()]));
    page.append(new);
    let end = at + new.len();
    if old.len() > end {
        page.append(&old.part(end, old.len() - end));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_was_written_with_zeros_between() {
        let mut content = FileContent::default();
        let mut plain: Vec<u8> = Vec::new();
        for (i, offset) in [0usize, 5000, 4090, 8191, 20_000, 3].into_iter().enumerate() {
            let piece = vec![i as u8 + 1; 10 + i * 900];
            content.write(offset as u64, &Data::Known(piece.clone()));
            plain.resize(plain.len().max(offset + piece.len()), 0);
            plain[offset..offset + piece.len()].copy_from_slice(&piece);
            assert_eq!(content.read(0, u64::MAX), Data::Known(plain.clone()));
            assert_eq!(
                content.read(4000, 200),
                Data::Known(plain.get(4000..).unwrap_or_default().iter().take(200).copied().collect())
            );
        }
        for size in [15_000, 4096, 30, 9000] {
            content.resize(size as u64);
            plain.resize(size, 0);
            assert_eq!(content.read(0, u64::MAX), Data::Known(plain.clone()));
        }
    }

    #[test]
    fn a_sparse_file_takes_no_room() {
        let mut content = FileContent::default();
        content.resize(1 << 40);
        content.write(1 << 39, &Data::Known(vec![1]));
        assert_eq!((content.size(), content.blocks()), (1 << 40, 8));
    }
}
