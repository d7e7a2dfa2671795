//! Every concrete structure that an abstract one stands for, with numbers of a domain: what black-box tools enumerate (C. Boyapati, S. Khurshid,
//! D. Marinov, *Korat*, ISSTA 2002).
//!
//! Numbers are tried in order, and a condition as soon as all of its numbers have values: what it excludes is not gone through.

use taw_engine::{CellContent, Formula, FormulaInput, Structure, Terms};

/// The concrete structures of one.
pub struct StageInstances<'a> {
    structure: &'a Structure,
    from: i64,
    to: i64,
    /// Numbers that are open: object, cell.
    free: Vec<(usize, usize)>,
    /// For each of them the conditions whose last number it is.
    ready: Vec<Vec<&'a Formula>>,
}

impl<'a> StageInstances<'a> {
    /// Those with numbers between two, both included. A number that is fixed outside of them stays what it is: it is part of the shape.
    pub fn new(structure: &'a Structure, from: i64, to: i64) -> Self {
        let mut free = Vec::new();
        for (object, cells) in structure.objects.iter().map(|object| &object.cells).enumerate() {
            let is_free =
                |(_, cell): &(usize, &taw_engine::StructureCell)| matches!(cell.content, CellContent::Free(_));
            free.extend(cells.iter().enumerate().filter(is_free).map(|(cell, _)| (object, cell)));
        }
        let position = |input: FormulaInput| {
            free.iter().position(|&(object, cell)| {
                object == input.0 as usize && structure.objects[object].cells[cell].at == u64::from(input.1)
            })
        };
        let mut ready = vec![Vec::new(); free.len()];
        for condition in &structure.conditions {
            if let Some(last) = condition.inputs().filter_map(position).max() {
                ready[last].push(condition);
            }
        }
        StageInstances { structure, from, to, free, ready }
    }

    /// Calls `each` for every one.
    pub fn for_each(&self, each: &mut dyn FnMut(&Structure)) {
        let mut instance = self.structure.clone();
        self.choose(0, &mut instance, &mut Terms::new(), each);
    }

    fn choose(&self, at: usize, instance: &mut Structure, terms: &mut Terms, each: &mut dyn FnMut(&Structure)) {
        let Some(&(object, cell)) = self.free.get(at) else { return each(instance) };
        let bytes = instance.objects[object].cells[cell].bytes;
        let mask = u64::MAX >> (64 - 8 * bytes.clamp(1, 8));
        for value in self.from..=self.to {
            instance.objects[object].cells[cell].content = CellContent::Free(value as u64 & mask);
            if self.ready[at].iter().all(|condition| holds(condition, instance, terms)) {
                self.choose(at + 1, instance, terms, each);
            }
        }
    }
}

/// Whether a condition holds of the numbers of a structure.
fn holds(condition: &Formula, instance: &Structure, terms: &mut Terms) -> bool {
    let t = condition.term(terms, &mut |terms, (object, at)| {
        let cells = &instance.objects[object as usize].cells;
        let cell =
            cells.iter().find(|cell| cell.at == u64::from(at)).expect("conditions are about numbers that there are");
        let (CellContent::Free(word) | CellContent::Fixed(word)) = cell.content else { return terms.bv(64, 0) };
        terms.bv(cell.bytes as u32 * 8, word)
    });
    terms.as_u64(t) == Some(1)
}

/// A number of a type as C writes it.
pub fn number_in_c(ty: &str, bytes: u64, word: u64) -> String {
    let unused = 64 - 8 * bytes.clamp(1, 8) as u32;
    let signed = ((word << unused) as i64) >> unused;
    let has_sign = !(ty.starts_with("unsigned") || ty.starts_with("uint") || matches!(ty, "size_t" | "_Bool" | "bool"));
    if has_sign { signed.to_string() } else { word.to_string() }
}
