//! Terms of a script: the core theory, let, arrays; bit vectors and floats have files of their own.

use super::sexpr::{Sexpr, TextPosition};
use super::{MOST_EXPANDED, Mode, Reader, ScriptError, ScriptValue, Sort, bits_literal, fitting, symbol};
use crate::bits::Bits;
use crate::node::Term;

type Read<T> = Result<T, ScriptError>;

impl Reader<'_> {
    /// What a term stands for.
    pub fn term(&mut self, t: &Sexpr) -> Read<ScriptValue> {
        self.expanded += usize::from(self.visible != usize::MAX);
        if self.expanded > MOST_EXPANDED {
            let what = format!("a script whose definitions expand to more than {MOST_EXPANDED} terms");
            return Err(ScriptError::unsupported(t.place, what));
        }
        if t.atom().is_some() {
            return self.atom(t);
        }
        let items = t.list().unwrap_or_default();
        let [head, rest @ ..] = items else {
            return Err(ScriptError::wrong(t.place, "a term is needed here"));
        };
        match (head.atom(), rest) {
            (Some("let"), [bindings, body]) => self.with_let(bindings, body),
            (Some("!"), [body, ..]) => self.term(body),
            (Some("_"), _) => self.indexed_constant(t.place, rest),
            (Some("as"), _) => Err(ScriptError::unsupported(t.place, "this use of `as`")),
            (Some(name), _) => self.application(t.place, name, rest),
            (None, _) => self.indexed_application(t.place, head, rest),
        }
    }

    fn atom(&mut self, t: &Sexpr) -> Read<ScriptValue> {
        let text = t.atom().unwrap_or_default();
        if let Some(value) = self.values.get(text) {
            return Ok(value.clone());
        }
        if let Some(bits) = bits_literal(text) {
            return Ok(ScriptValue::Bits(self.terms.constant(bits)));
        }
        Ok(match text {
            "true" | "false" => ScriptValue::Truth(self.terms.bool(text == "true")),
            "RNE" | "roundNearestTiesToEven" => ScriptValue::Mode(Mode::NearestEven),
            "RNA" | "roundNearestTiesToAway" => ScriptValue::Mode(Mode::NearestAway),
            "RTP" | "roundTowardPositive" => ScriptValue::Mode(Mode::Up),
            "RTN" | "roundTowardNegative" => ScriptValue::Mode(Mode::Down),
            "RTZ" | "roundTowardZero" => ScriptValue::Mode(Mode::Zero),
            _ => return Err(ScriptError::wrong(t.place, format!("`{text}` is not declared"))),
        })
    }

    /// All bindings are of the values outside.
    fn with_let(&mut self, bindings: &Sexpr, body: &Sexpr) -> Read<ScriptValue> {
        let mut bound = Vec::new();
        for binding in bindings.list().unwrap_or_default() {
            let Some([name, value]) = binding.list() else {
                return Err(ScriptError::wrong(binding.place, "a binding is (name term)"));
            };
            bound.push((symbol(name)?, self.term(value)?));
        }
        self.with_values(bound, |reader| reader.term(body))
    }

    fn with_values(
        &mut self,
        bound: Vec<(String, ScriptValue)>,
        inside: impl FnOnce(&mut Self) -> Read<ScriptValue>,
    ) -> Read<ScriptValue> {
        let hidden: Vec<_> = bound
            .into_iter()
            .map(|(name, value)| {
                let old = self.values.insert(name.clone(), value);
                (name, old)
            })
            .collect();
        let result = inside(self);
        for (name, old) in hidden.into_iter().rev() {
            match old {
                Some(value) => self.values.insert(name, value),
                None => self.values.remove(&name),
            };
        }
        result
    }

    /// `(_ bv10 32)` and the special floats.
    fn indexed_constant(&mut self, place: TextPosition, rest: &[Sexpr]) -> Read<ScriptValue> {
        match rest {
            [name, width] if name.atom().is_some_and(|n| n.starts_with("bv")) => {
                let digits = name.atom().unwrap_or_default().trim_start_matches("bv");
                let width = fitting(place, u64::from(width.number()?))?;
                let value: Option<u128> = digits.parse().ok();
                match value {
                    Some(value) if width > 0 => {
                        Ok(ScriptValue::Bits(self.terms.constant(Bits::from_u128(width, value))))
                    }
                    _ => Err(ScriptError::wrong(name.place, "a constant is (_ bvNUMBER WIDTH)")),
                }
            }
            [name, exponent, significand] => {
                let name = name.atom().unwrap_or_default();
                self.special_float(place, name, exponent.number()?, significand.number()?)
            }
            _ => Err(ScriptError::unsupported(place, "this constant")),
        }
    }

    fn application(&mut self, place: TextPosition, name: &str, rest: &[Sexpr]) -> Read<ScriptValue> {
        let mut definitions = self.macros.get(name).into_iter().flatten().rev();
        if let Some(definition) = definitions.find(|one| one.before < self.visible).cloned() {
            if definition.parameters.len() != rest.len() {
                return Err(ScriptError::wrong(
                    place,
                    format!("`{name}` needs {} arguments", definition.parameters.len()),
                ));
            }
            let mut bound = Vec::new();
            for ((parameter, sort), argument) in definition.parameters.iter().zip(rest) {
                let value = self.term(argument)?;
                self.check_sort(&value, sort, argument.place)?;
                bound.push((parameter.clone(), value));
            }
            let outside = std::mem::replace(&mut self.visible, definition.before);
            let value = self.with_values(bound, |reader| reader.term(&definition.body));
            self.visible = outside;
            return value;
        }
        let args = rest.iter().map(|t| self.term(t)).collect::<Read<Vec<ScriptValue>>>()?;
        if args.is_empty() {
            return Err(ScriptError::wrong(place, format!("`{name}` has no arguments")));
        }
        if let Some((function, widths, width)) = self.natives.get(name).cloned() {
            let args = args.iter().map(|v| self.bits(v, place)).collect::<Read<Vec<Term>>>()?;
            if args.iter().map(|&a| self.terms.width(a)).ne(widths) {
                return Err(ScriptError::wrong(place, format!("`{name}` has arguments of other widths")));
            }
            return Ok(ScriptValue::Bits(self.terms.apply(function, args.into(), width)));
        }
        match self.core(place, name, &args)? {
            Some(value) => Ok(value),
            None if name.starts_with("fp") => self.float_operation(place, name, &args),
            None => self.bit_operation(place, name, &args),
        }
    }

    fn core(&mut self, place: TextPosition, name: &str, args: &[ScriptValue]) -> Read<Option<ScriptValue>> {
        Ok(Some(match (name, args) {
            ("not", [a]) => {
                let a = self.as_truth(a, place)?;
                ScriptValue::Truth(self.terms.not(a))
            }
            ("and" | "or" | "xor" | "=>", _) => {
                let truths = args.iter().map(|a| self.as_truth(a, place)).collect::<Read<Vec<Term>>>()?;
                ScriptValue::Truth(self.connective(name, &truths))
            }
            ("=", [first, rest @ ..]) => {
                let mut all = self.terms.bool(true);
                for other in rest {
                    let same = self.same(first, other, place)?;
                    all = self.terms.and(all, same);
                }
                ScriptValue::Truth(all)
            }
            ("distinct", _) => {
                let mut all = self.terms.bool(true);
                for (at, a) in args.iter().enumerate() {
                    for b in &args[..at] {
                        let same = self.same(a, b, place)?;
                        let different = self.terms.not(same);
                        all = self.terms.and(all, different);
                    }
                }
                ScriptValue::Truth(all)
            }
            ("ite", [c, a, b]) => {
                let c = self.as_truth(c, place)?;
                self.check_sort(b, &self.sort_of(a), place)?;
                self.either(c, a, b)
            }
            ("select", [ScriptValue::Array(array), index]) => {
                self.check_sort(index, &Sort::Bits(array.index_width), place)?;
                let index = self.bits(index, place)?;
                ScriptValue::Bits(self.read_array(array, index))
            }
            ("store", [ScriptValue::Array(array), index, element]) => {
                self.check_sort(index, &Sort::Bits(array.index_width), place)?;
                self.check_sort(element, &Sort::Bits(array.element_width), place)?;
                let (index, element) = (self.bits(index, place)?, self.bits(element, place)?);
                ScriptValue::Array(self.store(array.clone(), index, element))
            }
            _ => return Ok(None),
        }))
    }

    fn connective(&mut self, name: &str, truths: &[Term]) -> Term {
        let (first, rest) = truths.split_first().expect("a connective has operands");
        match name {
            "and" => rest.iter().fold(*first, |all, &t| self.terms.and(all, t)),
            "or" => rest.iter().fold(*first, |all, &t| self.terms.or(all, t)),
            "xor" => rest.iter().fold(*first, |all, &t| self.terms.xor(all, t)),
            _ => {
                let (last, before) = truths.split_last().expect("a connective has operands");
                before.iter().rev().fold(*last, |then, &t| self.terms.implies(t, then))
            }
        }
    }

    /// Whether two values are equal, as the theory of their sort has it.
    fn same(&mut self, a: &ScriptValue, b: &ScriptValue, place: TextPosition) -> Read<Term> {
        self.check_sort(b, &self.sort_of(a), place)?;
        Ok(match (a, b) {
            (ScriptValue::Float(format, x), ScriptValue::Float(_, y)) => self.same_float(*format, *x, *y),
            (ScriptValue::Truth(x) | ScriptValue::Bits(x), ScriptValue::Truth(y) | ScriptValue::Bits(y)) => {
                self.terms.eq(*x, *y)
            }
            (ScriptValue::Mode(x), ScriptValue::Mode(y)) => self.terms.bool(x == y),
            (ScriptValue::Array(x), ScriptValue::Array(y)) => {
                let constant = || ScriptError::unsupported(place, "equality of arrays that are the same everywhere");
                self.same_array(x, y).ok_or_else(constant)?
            }
            _ => return Err(ScriptError::unsupported(place, "this equality")),
        })
    }

    fn either(&mut self, c: Term, a: &ScriptValue, b: &ScriptValue) -> ScriptValue {
        match (a, b) {
            (ScriptValue::Truth(x), ScriptValue::Truth(y)) => ScriptValue::Truth(self.terms.ite(c, *x, *y)),
            (ScriptValue::Float(format, x), ScriptValue::Float(_, y)) => {
                ScriptValue::Float(*format, self.terms.ite(c, *x, *y))
            }
            (ScriptValue::Array(x), ScriptValue::Array(y)) => {
                ScriptValue::Array(self.either_array(c, x.clone(), y.clone()))
            }
            (ScriptValue::Bits(x), ScriptValue::Bits(y)) => ScriptValue::Bits(self.terms.ite(c, *x, *y)),
            _ => a.clone(),
        }
    }

    fn indexed_application(&mut self, place: TextPosition, head: &Sexpr, rest: &[Sexpr]) -> Read<ScriptValue> {
        match head.list() {
            Some([u, name, indices @ ..]) if u.is("_") => {
                let name = symbol(name)?;
                if name == "to_fp" && rest.len() == 2 {
                    return self.float_from_text(place, indices, rest);
                }
                let indices = indices.iter().map(Sexpr::number).collect::<Read<Vec<u32>>>()?;
                let args = rest.iter().map(|t| self.term(t)).collect::<Read<Vec<ScriptValue>>>()?;
                match name.as_str() {
                    "to_fp" | "to_fp_unsigned" | "fp.to_sbv" | "fp.to_ubv" => {
                        self.conversion(place, &name, &indices, &args)
                    }
                    _ => self.indexed_bits(place, &name, &indices, &args),
                }
            }
            Some([a, constant, sort]) if a.is("as") && constant.is("const") => match (self.sort(sort)?, rest) {
                (Sort::Array(index, width), [element]) => {
                    let element = self.term(element)?;
                    self.check_sort(&element, &Sort::Bits(width), place)?;
                    let element = self.bits(&element, place)?;
                    Ok(ScriptValue::Array(self.constant_array(index, element)))
                }
                _ => Err(ScriptError::wrong(place, "((as const (Array …)) element) is needed here")),
            },
            _ => Err(ScriptError::unsupported(place, "this operation")),
        }
    }

    /// A truth value.
    pub fn truth(&mut self, t: &Sexpr) -> Read<Term> {
        let value = self.term(t)?;
        self.as_truth(&value, t.place)
    }

    pub fn as_truth(&self, value: &ScriptValue, place: TextPosition) -> Read<Term> {
        match value {
            ScriptValue::Truth(t) => Ok(*t),
            _ => Err(ScriptError::wrong(place, format!("this is of sort {}, but Bool is needed", self.sort_of(value)))),
        }
    }

    pub fn bits(&self, value: &ScriptValue, place: TextPosition) -> Read<Term> {
        match value {
            ScriptValue::Bits(t) => Ok(*t),
            _ => {
                let own = self.sort_of(value);
                Err(ScriptError::wrong(place, format!("this is of sort {own}, but a bit vector is needed")))
            }
        }
    }
}
