//! Inline assembly without instructions: a barrier for the compiler, or a way to hide a value from it.

use taw_ir::{Inst, Ty};

use super::body::{Body, Parts, Unsupported};
use crate::llvm::{Type, Value};

/// An operand of an assembly statement, as its constraint says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Constraint {
    /// A part of the result.
    Output,
    /// An output through a pointer argument.
    IndirectOutput,
    /// An argument, which may have to be in the same place as an output.
    Input { tied: Option<usize> },
    /// Says what else changes.
    Clobber,
}

impl<'m> Body<'_, 'm> {
    pub(super) fn inline_assembly(
        &mut self,
        i: Value<'m>,
        text: &str,
        constraints: &str,
    ) -> Result<Parts, Unsupported> {
        if !is_empty(text) {
            return Err(format!("inline assembly {text:?}"));
        }
        let constraints: Vec<Constraint> = constraints.split(',').map(parse).collect();
        let sources = tied_arguments(&constraints);
        let arguments: Vec<Value<'m>> = i.call_arguments().collect();
        let mut parts = Parts::new();
        for (ty, source) in self.output_types(i.ty(), sources.len()).into_iter().zip(sources) {
            match source.and_then(|n| arguments.get(n)) {
                Some(&argument) => {
                    let tied = self.value(argument);
                    parts.extend(tied.into_iter().zip(ty).map(|(part, ty)| self.fit(part, ty)));
                }
                None => parts.extend(ty.into_iter().map(|ty| self.compute(ty, |dst| Inst::Undef { dst }))),
            }
        }
        Ok(parts)
    }

    /// The scalars of each output: one output is the whole result, several are its fields.
    fn output_types(&mut self, result: Type<'m>, outputs: usize) -> Vec<Vec<Ty>> {
        let mut scalars = |ty| self.cx.types.shape(ty).scalars.clone();
        match outputs {
            0 => Vec::new(),
            1 => vec![scalars(result)],
            _ => (0..result.count() as u32).map(|field| scalars(result.element(field))).collect(),
        }
    }
}

/// Whether the text holds nothing but white space and comments.
fn is_empty(text: &str) -> bool {
    text.lines().all(|line| line.split('#').next().is_none_or(|code| code.trim().is_empty()))
}

fn parse(constraint: &str) -> Constraint {
    if constraint.starts_with("=*") || constraint.starts_with("=&*") {
        Constraint::IndirectOutput
    } else if constraint.starts_with('=') {
        Constraint::Output
    } else if constraint.is_empty() || constraint.starts_with(['~', '!']) {
        Constraint::Clobber
    } else {
        Constraint::Input { tied: constraint.parse().ok() }
    }
}

/// For each output that is part of the result, the number of the argument that it is the same as.
fn tied_arguments(constraints: &[Constraint]) -> Vec<Option<usize>> {
    // Ties count all outputs, arguments only what is passed.
    let outputs: Vec<usize> = constraints
        .iter()
        .filter(|c| matches!(c, Constraint::Output | Constraint::IndirectOutput))
        .scan(0, |direct, c| {
            let here = *direct;
            *direct += usize::from(*c == Constraint::Output);
            Some(here)
        })
        .collect();
    let mut tied = vec![None; constraints.iter().filter(|&&c| c == Constraint::Output).count()];
    let mut argument = 0;
    for constraint in constraints {
        match constraint {
            Constraint::IndirectOutput => argument += 1,
            Constraint::Input { tied: to } => {
                if let Some(place) = to.and_then(|n| outputs.get(n)).and_then(|&n| tied.get_mut(n)) {
                    *place = Some(argument);
                }
                argument += 1;
            }
            Constraint::Output | Constraint::Clobber => {}
        }
    }
    tied
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tied(constraints: &str) -> Vec<Option<usize>> {
        tied_arguments(&constraints.split(',').map(parse).collect::<Vec<_>>())
    }

    #[test]
    fn ties_are_found() {
        assert_eq!(tied("~{memory},~{dirflag}"), []);
        assert_eq!(tied("=r,0,~{dirflag}"), [Some(0)]);
        assert_eq!(tied("=r,=r,r,1,0"), [Some(2), Some(1)]);
        assert_eq!(tied("=*m,=r,*m,1"), [Some(2)]);
        assert_eq!(tied("=r"), [None]);
    }

    #[test]
    fn comments_are_no_code() {
        assert!(is_empty("") && is_empty(" \n\t# barrier"));
        assert!(!is_empty("nop"));
    }
}
