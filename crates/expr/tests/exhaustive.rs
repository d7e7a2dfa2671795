//! Small widths, every value: all operations on all constants, and every shape that a rule may match on all inputs.

mod common;

use std::rc::Rc;

use common::{OPS, Points, Tree, naive};
use taw_expr::{BinOp, Bits, Terms, fold};

#[test]
fn every_operation_folds_every_pair_of_constants_up_to_five_bits() {
    let mut terms = Terms::new();
    for width in 1..=5 {
        for op in OPS {
            for a in 0..1u64 << width {
                for b in 0..1u64 << width {
                    let (x, y) = (terms.bv(width, a), terms.bv(width, b));
                    let result = terms.bin(op, x, y);
                    let want = naive(op, width, width, a.into(), b.into());
                    assert_eq!(terms.as_u64(result), Some(want as u64), "{op:?} {width} {a} {b}");
                }
            }
        }
    }
}

/// Terms of `width` bits over two inputs, with one operation of any kind between them, and constants.
fn one_level(width: u32, constants: &[u128]) -> Vec<Rc<Tree>> {
    let vars: Vec<Rc<Tree>> = (0..2).map(|i| Rc::new(Tree::Var(i, width))).collect();
    let constants: Vec<Rc<Tree>> = constants.iter().map(|&c| Rc::new(Tree::Const(width, c))).collect();
    let leaves: Vec<Rc<Tree>> = vars.iter().chain(&constants).cloned().collect();
    let mut all = leaves.clone();
    for a in &leaves {
        for b in &leaves {
            if matches!((&**a, &**b), (Tree::Const(..), Tree::Const(..))) {
                continue;
            }
            all.extend(OPS.iter().map(|&op| fit(width, Rc::new(Tree::Bin(op, a.clone(), b.clone())))));
            for c in [BinOp::Eq, BinOp::Ult, BinOp::Slt] {
                let condition = Rc::new(Tree::Bin(c, vars[0].clone(), vars[1].clone()));
                all.push(Rc::new(Tree::Ite(condition, a.clone(), b.clone())));
            }
        }
    }
    for a in &vars {
        for lo in 0..width {
            for cut in 1..=width - lo {
                let slice = Rc::new(Tree::Extract(a.clone(), lo, cut));
                all.push(Rc::new(Tree::ZExt(slice.clone(), width)));
                all.push(Rc::new(Tree::SExt(slice, width)));
            }
        }
    }
    all
}

/// A tree at another width: cut off, or extended.
fn fit(width: u32, tree: Rc<Tree>) -> Rc<Tree> {
    match tree.width() {
        w if w > width => Rc::new(Tree::Extract(tree, 0, width)),
        w if w < width => Rc::new(Tree::ZExt(tree, width)),
        _ => tree,
    }
}

/// Two inputs, and all their values.
struct Everywhere {
    terms: Terms,
    points: Points,
}

impl Everywhere {
    fn new(width: u32) -> Self {
        let mut terms = Terms::new();
        terms.new_var("x", width);
        terms.new_var("y", width);
        let all = 0..1u64 << width;
        Everywhere { terms, points: Points::new(all.clone().flat_map(|x| all.clone().map(move |y| vec![x, y]))) }
    }

    fn check(&mut self, tree: &Tree) {
        let term = tree.build(&mut self.terms);
        self.points.check(&self.terms, tree, term);
    }
}

#[test]
fn every_operation_on_every_pair_of_small_terms_at_two_bits() {
    let width = 2;
    let mut inputs = Everywhere::new(width);
    let operands = one_level(width, &[1, 2]);
    for op in OPS {
        for a in &operands {
            for b in &operands {
                inputs.check(&Tree::Bin(op, a.clone(), b.clone()));
            }
        }
    }
}

#[test]
fn every_operation_on_every_small_term_and_leaf_at_four_bits() {
    let width = 4;
    let mut inputs = Everywhere::new(width);
    let operands = one_level(width, &[1, 12]);
    let mut leaves: Vec<Rc<Tree>> = (0..16).map(|c| Rc::new(Tree::Const(width, c))).collect();
    leaves.push(Rc::new(Tree::Var(0, width)));
    for op in OPS {
        for a in &operands {
            for b in &leaves {
                inputs.check(&Tree::Bin(op, a.clone(), b.clone()));
                if !op.is_commutative() {
                    inputs.check(&Tree::Bin(op, b.clone(), a.clone()));
                }
            }
        }
    }
}

#[test]
fn every_operation_on_small_terms_of_extended_inputs_at_four_bits() {
    let (narrow, width) = (2, 4);
    let mut inputs = Everywhere::new(narrow);
    let vars: Vec<Rc<Tree>> = (0..2).map(|i| Rc::new(Tree::Var(i, narrow))).collect();
    let constants: Vec<Rc<Tree>> = (0..16).map(|c| Rc::new(Tree::Const(width, c))).collect();
    let mut operands: Vec<Rc<Tree>> = Vec::new();
    for x in &vars {
        for extended in [Tree::ZExt(x.clone(), width), Tree::SExt(x.clone(), width)] {
            let extended = Rc::new(extended);
            for op in OPS {
                for c in &constants {
                    operands.push(fit(width, Rc::new(Tree::Bin(op, extended.clone(), c.clone()))));
                    operands.push(fit(width, Rc::new(Tree::Bin(op, c.clone(), extended.clone()))));
                }
            }
        }
    }
    let mut others = constants.clone();
    others.extend([operands[5].clone(), operands[300].clone(), operands[700].clone()]);
    for op in OPS {
        for a in &operands {
            for b in &others {
                inputs.check(&Tree::Bin(op, a.clone(), b.clone()));
                inputs.check(&Tree::Bin(op, b.clone(), a.clone()));
            }
        }
    }
}

#[test]
fn every_slice_and_extension_of_every_small_term_at_three_bits() {
    let width = 3;
    let mut inputs = Everywhere::new(width);
    for inner in one_level(width, &[0, 1, 3, 4, 7]) {
        for wide in [4, 6] {
            for tree in [Tree::ZExt(inner.clone(), wide), Tree::SExt(inner.clone(), wide)] {
                let tree = Rc::new(tree);
                inputs.check(&tree);
                for lo in 0..wide {
                    for cut in 1..=wide - lo {
                        inputs.check(&Tree::Extract(tree.clone(), lo, cut));
                    }
                }
                for op in OPS {
                    for c in [0, 1, 3, 4, 7, 8, (1 << wide) - 1, (1 << wide) - 4] {
                        let c = Rc::new(Tree::Const(wide, c & ((1 << wide) - 1)));
                        inputs.check(&Tree::Bin(op, tree.clone(), c.clone()));
                        inputs.check(&Tree::Bin(op, c, tree.clone()));
                    }
                }
            }
        }
    }
}

#[test]
fn wide_arithmetic_agrees_with_narrow_arithmetic() {
    // The same operation with the operands extended far beyond one word: the general code against the fast one.
    for op in OPS.into_iter().filter(|&op| !matches!(op, BinOp::Concat)) {
        for a in 0..64u64 {
            for b in 0..64u64 {
                let signed = matches!(op, BinOp::SDiv | BinOp::SRem | BinOp::AShr | BinOp::Slt | BinOp::Sle);
                let extend = |bits: Bits| if signed { bits.sext(300) } else { bits.zext(300) };
                let (x, y) = (Bits::new(6, a), Bits::new(6, b));
                if b == 0 && matches!(op, BinOp::UDiv) || (op == BinOp::AShr && b >= 32) {
                    continue; // all ones of another width; a negative distance once extended
                }
                let wide = fold::bin(op, &extend(x.clone()), &extend(y.clone()));
                assert_eq!(wide.zext(wide.width().min(6)), fold::bin(op, &x, &y), "{op:?} {a} {b}");
            }
        }
    }
}
