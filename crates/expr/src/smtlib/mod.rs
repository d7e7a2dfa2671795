//! Terms as an SMT-LIB 2 script.
//!
//! Every term is a bit vector, truth values included; each inner node of the graph is one `define-fun`, so a script is
//! as long as the graph, however often parts are shared. Arrays are `(Array (_ BitVec 64) (_ BitVec n))`, opaque
//! functions uninterpreted functions. Floats: see `float.rs`.
//!
//! Boundary: a script says exactly what evaluation does, NaN payloads and reads past the end included.

mod float;
pub mod read;

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::Terms;
use crate::bits::Bits;
use crate::node::*;

impl Terms {
    /// A complete script: is there an assignment under which all `assertions` (truth values) hold?
    pub fn smtlib(&self, assertions: &[Term]) -> String {
        let mut script = ScriptText::new(self, assertions);
        for t in script.order.clone() {
            script.define(t);
        }
        for &t in assertions {
            let name = script.name(t);
            script.line(format_args!("(assert (= {name} #b1))"));
        }
        script.text.push_str("(check-sat)\n");
        script.text
    }
}

/// A script in the making.
struct ScriptText<'a> {
    terms: &'a Terms,
    /// All terms that matter, operands first.
    order: Vec<Term>,
    vars: FxHashMap<Var, String>,
    declared: FxHashSet<String>,
    arrays: FxHashSet<Array>,
    text: String,
}

impl<'a> ScriptText<'a> {
    fn new(terms: &'a Terms, assertions: &[Term]) -> Self {
        let order = reachable(terms, assertions);
        let mut script = ScriptText {
            terms,
            vars: FxHashMap::default(),
            declared: FxHashSet::default(),
            arrays: FxHashSet::default(),
            text: String::new(),
            order,
        };
        let logic = script.logic();
        script.line(format_args!("(set-logic {logic})"));
        script.declare_inputs();
        script
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        self.text.write_fmt(line).expect("a string takes all text");
        self.text.push('\n');
    }

    fn logic(&self) -> String {
        let any = |test: fn(&Node) -> bool| self.order.iter().any(|&t| test(self.terms.node(t)));
        let arrays = if any(|n| matches!(n, Node::Select(..))) { "A" } else { "" };
        let functions = if any(|n| matches!(n, Node::Apply(..))) { "UF" } else { "" };
        let floats = if any(Node::is_float) { "FP" } else { "" };
        format!("QF_{arrays}{functions}BV{floats}")
    }

    /// Inputs keep their names, except one that another input or this script uses.
    fn declare_inputs(&mut self) {
        let mut taken: FxHashSet<String> = FxHashSet::default();
        for t in self.order.clone() {
            let &Node::Var(v) = self.terms.node(t) else { continue };
            let info = &self.terms.vars()[v.0 as usize];
            let mut name = info.name.replace(['|', '\\'], "_");
            if name.is_empty() || name.starts_with('?') || !taken.insert(name.clone()) {
                name = format!("?v{}", v.0);
            }
            let name = quoted(&name);
            self.line(format_args!("(declare-const {name} (_ BitVec {}))", info.width));
            self.vars.insert(v, name);
        }
    }

    /// How operands refer to `t`.
    fn name(&self, t: Term) -> String {
        match self.terms.node(t) {
            Node::Const(bits) => literal(bits),
            Node::Var(v) => self.vars[v].clone(),
            _ => format!("?t{}", t.index()),
        }
    }

    fn define(&mut self, t: Term) {
        let body = match *self.terms.node(t) {
            Node::Const(_) | Node::Var(_) => return,
            Node::Bin(op, a, b) => bin(op, &self.name(a), &self.name(b)),
            Node::Extract { arg, lo, width } => format!("((_ extract {} {lo}) {})", lo + width - 1, self.name(arg)),
            Node::ZExt(a, width) => format!("((_ zero_extend {}) {})", width - self.terms.width(a), self.name(a)),
            Node::SExt(a, width) => format!("((_ sign_extend {}) {})", width - self.terms.width(a), self.name(a)),
            Node::Ite(c, a, b) => format!("(ite (= {} #b1) {} {})", self.name(c), self.name(a), self.name(b)),
            Node::Select(array, index) => {
                self.define_array(array);
                format!("(select ?a{} {})", array.0, self.name(index))
            }
            Node::Apply(function, ref args, width) => self.application(function, args, width),
            _ => self.float(t),
        };
        self.line(format_args!("(define-fun ?t{} () (_ BitVec {}) {body})", t.index(), self.terms.width(t)));
    }

    /// A chain of stores is defined from its oldest array on.
    fn define_array(&mut self, array: Array) {
        let mut pending = vec![array];
        while let Some(&a) = pending.last() {
            if self.arrays.contains(&a) {
                pending.pop();
                continue;
            }
            match self.terms.array(a) {
                ArrayNode::Store { base, .. } if !self.arrays.contains(base) => pending.push(*base),
                ArrayNode::Store { base, index, value } => {
                    let body = format!("(store ?a{} {} {})", base.0, self.name(*index), self.name(*value));
                    self.define_array_as(a, &format!("?a{}", a.0), &body);
                }
                ArrayNode::Elements(elements) => self.define_elements(a, elements),
            }
        }
    }

    /// Everything past the end reads the last element: a constant array of it, and the others stored over it.
    fn define_elements(&mut self, array: Array, elements: &[Term]) {
        let (last, others) = elements.split_last().expect("an array has at least one element");
        let width = self.terms.element_width(array);
        let mut before = format!("((as const (Array (_ BitVec 64) (_ BitVec {width}))) {})", self.name(*last));
        for (i, element) in others.iter().enumerate().filter(|(_, element)| *element != last) {
            let name = format!("?a{}_{i}", array.0);
            let body = format!("(store {before} (_ bv{i} 64) {})", self.name(*element));
            self.define_array_as(array, &name, &body);
            before = name;
        }
        self.define_array_as(array, &format!("?a{}", array.0), &before);
    }

    fn define_array_as(&mut self, array: Array, name: &str, body: &str) {
        let width = self.terms.element_width(array);
        self.line(format_args!("(define-fun {name} () (Array (_ BitVec 64) (_ BitVec {width})) {body})"));
        self.arrays.insert(array);
    }

    /// One uninterpreted function per name and signature.
    fn application(&mut self, function: OpaqueFunction, args: &[Term], width: u32) -> String {
        let sorts: Vec<String> = args.iter().map(|&a| format!("(_ BitVec {})", self.terms.width(a))).collect();
        let name = self.terms.functions()[function.0 as usize].name.replace(['|', '\\'], "_");
        let widths: Vec<String> = args.iter().map(|&a| self.terms.width(a).to_string()).collect();
        let name = quoted(&format!("?f!{name}!{}!{width}", widths.join("!")));
        if self.declared.insert(name.clone()) {
            self.line(format_args!("(declare-fun {name} ({}) (_ BitVec {width}))", sorts.join(" ")));
        }
        if args.is_empty() {
            return name;
        }
        let args: Vec<String> = args.iter().map(|&a| self.name(a)).collect();
        format!("({name} {})", args.join(" "))
    }
}

/// What the assertions are made of. Ids are in topological order, so sorting them is enough.
fn reachable(terms: &Terms, assertions: &[Term]) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = assertions.iter().copied().collect();
    let mut pending: Vec<Term> = seen.iter().copied().collect();
    let mut arrays: FxHashSet<Array> = FxHashSet::default();
    while let Some(t) = pending.pop() {
        // The terms of an array once, not once per read.
        let operands: Vec<Term> = match terms.node(t) {
            Node::Select(array, index) => {
                let mut operands = vec![*index];
                if arrays.insert(*array) {
                    operands.extend(terms.array_terms(*array));
                }
                operands
            }
            _ => terms.children(t).collect(),
        };
        pending.extend(operands.into_iter().filter(|&operand| seen.insert(operand)));
    }
    terms.operands_first(seen)
}

fn bin(op: BinOp, a: &str, b: &str) -> String {
    let name = match op {
        BinOp::Add => "bvadd",
        BinOp::Sub => "bvsub",
        BinOp::Mul => "bvmul",
        BinOp::UDiv => "bvudiv",
        BinOp::SDiv => "bvsdiv",
        BinOp::URem => "bvurem",
        BinOp::SRem => "bvsrem",
        BinOp::Shl => "bvshl",
        BinOp::LShr => "bvlshr",
        BinOp::AShr => "bvashr",
        BinOp::And => "bvand",
        BinOp::Or => "bvor",
        BinOp::Xor => "bvxor",
        BinOp::Concat => "concat",
        BinOp::Eq => "=",
        BinOp::Ult => "bvult",
        BinOp::Ule => "bvule",
        BinOp::Slt => "bvslt",
        BinOp::Sle => "bvsle",
    };
    if op.is_comparison() { format!("(ite ({name} {a} {b}) #b1 #b0)") } else { format!("({name} {a} {b})") }
}

fn literal(bits: &Bits) -> String {
    let width = bits.width();
    if width.is_multiple_of(4) {
        let digit = |i: u32| char::from_digit(bits.extract(i * 4, 4).low() as u32, 16).unwrap_or('0');
        return format!("#x{}", (0..width / 4).rev().map(digit).collect::<String>());
    }
    format!("#b{}", (0..width).rev().map(|i| if bits.bit(i) { '1' } else { '0' }).collect::<String>())
}

/// A symbol, in bars unless it is a simple one.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let reserved = matches!(name, "_" | "!" | "as" | "let" | "exists" | "forall" | "match" | "par");
    if name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit() || c == '@' || c == '.') && !reserved {
        return name.to_owned();
    }
    format!("|{name}|")
}
