//! Random trees, decided by a string of bytes.

use std::rc::Rc;

use taw_expr::{BinOp, Terms};

use super::{ArrayTree, OPS, Tree};

/// The widths that trees have at their roots.
pub const WIDTHS: [u32; 9] = [1, 3, 4, 8, 16, 32, 64, 80, 128];

/// Decisions from a string of bytes: shrinking the bytes shrinks the tree.
pub struct Source<'a> {
    bytes: std::slice::Iter<'a, u8>,
    /// What was made so far: taken again now and then, so that operands are shared.
    made: Vec<Rc<Tree>>,
    vars: Vec<u32>,
}

impl<'a> Source<'a> {
    /// Decisions from `bytes`, and an arena with the inputs that the trees speak of.
    pub fn new(bytes: &'a [u8]) -> (Self, Terms) {
        let vars: Vec<u32> = WIDTHS.iter().filter(|&&w| w <= 64).flat_map(|&w| [w, w]).collect();
        let mut terms = Terms::new();
        for (i, &w) in vars.iter().enumerate() {
            terms.new_var(&format!("v{i}"), w);
        }
        (Source { bytes: bytes.iter(), made: Vec::new(), vars }, terms)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0)) % n
    }

    fn constant(&mut self, width: u32) -> u128 {
        let ones = if width == 128 { u128::MAX } else { (1 << width) - 1 };
        let value = match self.below(9) {
            0 => 0,
            1 => 1,
            2 => ones,
            3 => 1 << (width - 1),
            4 => (1 << (width - 1)) - 1,
            5 => 1 << self.below(width as usize),
            6 => (1 << self.below(width as usize)) - 1,
            7 => !((1 << self.below(width as usize)) - 1),
            _ => (0..4).fold(0, |all, _| all << 8 | self.below(256) as u128),
        };
        value & ones
    }

    fn leaf(&mut self, width: u32) -> Rc<Tree> {
        if self.below(4) == 1 {
            return Rc::new(Tree::Const(width, self.constant(width)));
        }
        // The inputs have all widths that terms begin with; others are slices of them, or two of them.
        if width > 64 {
            return Rc::new(Tree::Bin(BinOp::Concat, self.leaf(width - 64), self.leaf(64)));
        }
        let wide = *WIDTHS.iter().find(|&&w| w >= width).expect("the widest input is wide enough");
        let at = self.vars.iter().position(|&w| w == wide).expect("an input of each width") + self.below(2);
        let var = Rc::new(Tree::Var(at as u32, wide));
        if wide == width {
            return var;
        }
        Rc::new(Tree::Extract(var, self.below((wide - width + 1) as usize) as u32, width))
    }

    pub fn tree(&mut self, width: u32, depth: u32) -> Rc<Tree> {
        let again: Vec<Rc<Tree>> = self.made.iter().filter(|t| t.width() == width).cloned().collect();
        if !again.is_empty() && self.below(5) == 1 {
            return again[self.below(again.len())].clone();
        }
        let made = if depth == 0 { self.leaf(width) } else { self.node(width, depth - 1) };
        self.made.push(made.clone());
        made
    }

    fn node(&mut self, width: u32, depth: u32) -> Rc<Tree> {
        Rc::new(match self.below(16) {
            0 => return self.leaf(width),
            1 if width > 1 => {
                let low = 1 + self.below(width as usize - 1) as u32;
                Tree::Bin(BinOp::Concat, self.tree(width - low, depth), self.tree(low, depth))
            }
            2 => {
                let wide = WIDTHS[self.below(WIDTHS.len())].max(width);
                let lo = self.below((wide - width + 1) as usize) as u32;
                Tree::Extract(self.tree(wide, depth), lo, width)
            }
            3 | 4 if width > 1 => {
                let narrow = 1 + self.below(width as usize - 1) as u32;
                let inner = self.tree(narrow, depth);
                if self.below(2) == 0 { Tree::ZExt(inner, width) } else { Tree::SExt(inner, width) }
            }
            5 => Tree::Ite(self.tree(1, depth), self.tree(width, depth), self.tree(width, depth)),
            6 if width <= 16 => {
                let array = self.array(width, depth.min(1));
                Tree::Select(array, self.tree(64, depth))
            }
            7 | 8 if width == 1 => {
                let of = WIDTHS[self.below(WIDTHS.len())];
                let op = OPS[14 + self.below(5)];
                Tree::Bin(op, self.tree(of, depth), self.tree(of, depth))
            }
            _ => Tree::Bin(OPS[self.below(13)], self.tree(width, depth), self.tree(width, depth)),
        })
    }

    fn array(&mut self, width: u32, depth: u32) -> Rc<ArrayTree> {
        let count = 1 + self.below(4);
        let mut array = Rc::new(ArrayTree::Elements((0..count).map(|_| self.tree(width, depth)).collect()));
        for _ in 0..self.below(3) {
            array = Rc::new(ArrayTree::Store(array, self.tree(64, depth), self.tree(width, depth)));
        }
        array
    }
}
