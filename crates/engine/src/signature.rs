//! What a model takes and gives back, and how a call that was compiled without its prototype is fitted to that.
//!
//! In text, the result first: `"p ppz"` is `void *memcpy(void *, const void *, size_t)`. A letter is a type:
//! `v` nothing; `o` one bit; `c` `h` `i` `l` `q` integers of 8, 16, 32, 64, 128 bits; `z` an integer as wide as a pointer;
//! `p` a pointer; `f` `d` `e` float, double, long double; `a` any scalar. A final `.` allows more arguments.
//! What happens to memory is said by other letters for pointers: `w` what it points at is written, `x` what it points at is freed, and as a result
//! `m` memory that nobody has yet, or null. A final `!` says that it may set `errno`.
//!
//! Invariant: a model sees as many arguments as it has letters, each of the letter's width and class; and it changes no other memory
//! than its letters say, which is checked at every call while Taw itself is being debugged ([`Cx::keeps_to_row`]).

use std::rc::Rc;

use taw_ir::{Call, CallArg, FloatTy, Layout, Ty};

use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::memory::{Memory, Object, ObjectKind};
use crate::model::ModelArgument;
use crate::stop::Stop;
use crate::value::Value;

/// A signature as its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature(pub &'static str);

/// What a letter stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Letter {
    Nothing,
    Any,
    Scalar(Ty),
}

fn letter(letter: u8, layout: &Layout) -> Letter {
    let ty = match letter {
        b'v' => return Letter::Nothing,
        b'a' => return Letter::Any,
        b'f' => Ty::Float(FloatTy::F32),
        b'd' => Ty::Float(FloatTy::F64),
        b'e' => Ty::Float(FloatTy::F80),
        b'p' | b'w' | b'x' | b'm' => Ty::Ptr,
        b'z' => Ty::Int(layout.pointer_bits),
        b'o' => Ty::Int(1),
        b'c' => Ty::Int(8),
        b'h' => Ty::Int(16),
        b'i' => Ty::Int(32),
        b'l' => Ty::Int(64),
        b'q' => Ty::Int(128),
        other => unreachable!("`{}` is no type of a signature", other as char),
    };
    Letter::Scalar(ty)
}

impl Signature {
    /// The letters of the parameters.
    pub fn parameters(self) -> &'static str {
        self.0.get(2..).unwrap_or_default().trim_end_matches(['.', '!'])
    }

    /// The positions of the parameters whose objects are written or freed.
    pub fn changes(self) -> impl Iterator<Item = usize> {
        self.parameters().bytes().enumerate().filter(|(_, letter)| matches!(letter, b'w' | b'x')).map(|(at, _)| at)
    }

    /// Whether the result is memory that nobody has yet.
    pub fn is_fresh(self) -> bool {
        self.result() == b'm'
    }

    /// Whether it frees what a parameter points at.
    pub fn frees(self) -> bool {
        self.parameters().contains('x')
    }

    /// Whether it takes and gives back numbers only.
    pub fn is_of_numbers(self) -> bool {
        let is_number = |letter: u8| !matches!(letter, b'p' | b'w' | b'x' | b'm' | b'v' | b'a');
        is_number(self.result()) && self.parameters().bytes().all(is_number)
    }

    /// Whether it may set `errno`.
    pub fn sets_errno(self) -> bool {
        self.0.ends_with('!')
    }

    pub(crate) fn is_variadic(self) -> bool {
        self.0.ends_with('.')
    }

    pub(crate) fn result(self) -> u8 {
        self.0.as_bytes()[0]
    }
}

impl Cx<'_, '_> {
    /// What a call passes, as the model wants it. Integers of another width are cut, or filled with zeros as registers are.
    ///
    /// # Errors
    /// If the call cannot mean this function: that is undefined in C, as for a pointer of another type.
    pub(crate) fn fitted(&mut self, name: &str, signature: Signature, call: &Call) -> Result<Vec<ModelArgument>, Stop> {
        let wanted = signature.parameters().as_bytes();
        if call.args.len() < wanted.len() {
            let (passed, wanted) = (call.args.len(), wanted.len());
            let parameters = if wanted == 1 { "parameter" } else { "parameters" };
            return Err(unfit(format!("{name} has {wanted} {parameters}, and the call passes {passed}")));
        }
        let more = if signature.is_variadic() { &call.args[wanted.len()..] } else { &[] };
        let mut args = Vec::with_capacity(wanted.len() + more.len());
        for (&wanted, arg) in wanted.iter().zip(&call.args) {
            args.push(self.fitted_argument(name, wanted, arg)?);
        }
        args.extend(more.iter().map(|arg| self.argument(arg)));
        Ok(args)
    }

    fn fitted_argument(&mut self, name: &str, wanted: u8, arg: &CallArg) -> Result<ModelArgument, Stop> {
        let Letter::Scalar(ty) = letter(wanted, &self.engine.program.layout) else {
            return Ok(self.argument(arg));
        };
        if arg.byval.is_some() {
            return Err(unfit(format!("{name} is called with a structure where it has a scalar parameter")));
        }
        let is_same_float = !ty.is_float() || ty == arg.ty;
        if ty.is_float() != arg.ty.is_float() || !is_same_float {
            return Err(unfit(format!(
                "{name} is called with a {} where it has another kind of parameter",
                kind(arg.ty)
            )));
        }
        let given = self.argument(arg);
        let value = self.fit(given.value, arg.ty, ty);
        Ok(ModelArgument { value, width: ty.bits(&self.engine.program.layout), ty })
    }

    /// Whether a model has changed only what its row says. Unless something shows the contrary: further arguments
    /// may be pointers, and where an argument that depends on inputs points is not looked up.
    pub(crate) fn keeps_to_row(&self, before: &Memory, signature: Signature, args: &[ModelArgument]) -> bool {
        let changed: Option<Vec<u64>> = signature.changes().map(|at| args[at].value.as_word()).collect();
        let Some(changed) = changed.filter(|_| !signature.is_variadic()) else { return true };
        // What is not known is made when it is read.
        let is_made = |object: &Object| match object.kind {
            ObjectKind::Unknown(_) => true,
            ObjectKind::Global(_) => object.limit.is_some(),
            _ => false,
        };
        let may_change =
            |object: &Object| is_made(object) || changed.iter().any(|&at| before.in_one_slot(at, object.base));
        let is_same = |old: &Rc<Object>| self.state.memory.object(old.base).is_some_and(|new| Rc::ptr_eq(old, new));
        // Where `errno` is, only the C library knows: it is one object.
        let others = before.live().filter(|object| !may_change(object) && !is_same(object)).count();
        others <= usize::from(signature.sets_errno())
    }

    /// The model's result as the call expects it.
    ///
    /// # Errors
    /// As [`Cx::fitted`].
    pub(crate) fn fitted_result(
        &mut self,
        name: &str,
        signature: Signature,
        result: Value,
        call: &Call,
    ) -> Result<Value, Stop> {
        let Some(wanted) = self.type_wanted(call) else { return Ok(result) };
        let layout = &self.engine.program.layout;
        let letter = letter(signature.result(), layout);
        let fits = match letter {
            Letter::Nothing => false,
            Letter::Any => true,
            Letter::Scalar(ty) if ty.is_float() || wanted.is_float() => ty == wanted,
            // What is above a result that is narrower than an int, nobody has set.
            Letter::Scalar(ty) => ty.bits(layout) >= wanted.bits(layout).min(32),
        };
        match letter {
            _ if !fits || call.dsts.len() > 1 => {
                Err(unfit(format!("{name} is called as if it returned something of another type")))
            }
            Letter::Scalar(ty) => Ok(self.fit(result, ty, wanted)),
            _ => Ok(result),
        }
    }

    /// The type of what a call of the innermost function gives back, or of its first part.
    fn type_wanted(&self, call: &Call) -> Option<Ty> {
        let function = &self.engine.program.functions[self.state.top.func];
        Some(function.regs[*call.dsts.first()?].ty)
    }
}

fn kind(ty: Ty) -> &'static str {
    match ty {
        Ty::Float(_) => "floating-point number",
        Ty::Ptr => "pointer",
        _ => "whole number",
    }
}

fn unfit(message: String) -> Stop {
    Stop::Bug(FindingKind::InvalidFunctionPointer, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_a_result_and_parameters() {
        let signature = Signature("i ip.");
        assert_eq!((signature.result(), signature.parameters(), signature.is_variadic()), (b'i', "ip", true));
        assert_eq!((Signature("v ").parameters(), Signature("v ").is_variadic()), ("", false));
        let copies = Signature("p wpzx");
        assert_eq!((copies.changes().collect::<Vec<_>>(), copies.is_fresh()), (vec![0, 3], false));
        assert!(Signature("m z!").is_fresh() && Signature("m z!").sets_errno() && !copies.sets_errno());
        assert_eq!(Signature("m z!").parameters(), "z");
    }
}
