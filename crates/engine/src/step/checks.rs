//! Requirements that the code states, and which of those that its instructions imply are the program's own.

use taw_ir::Requirement;

use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::reason::Doubt;
use crate::stop::Stop;
use crate::value::Value;

impl Cx<'_, '_> {
    /// Goes on only where the requirement is met.
    pub(super) fn require_what(&mut self, cond: Value, what: Requirement) -> Result<(), Stop> {
        let is_subscript = matches!(what, Requirement::ElementRead | Requirement::ElementWrite);
        if is_subscript && !self.code_is_as_written() {
            return Ok(());
        }
        let (kind, message) = match what {
            Requirement::Promise => {
                (FindingKind::AssumptionViolated, "the condition of __builtin_assume does not hold")
            }
            Requirement::ElementRead => (FindingKind::OutOfBoundsRead, "the subscript is past the end of the vector"),
            Requirement::ElementWrite => (FindingKind::OutOfBoundsWrite, "the subscript is past the end of the vector"),
            Requirement::Sum => (FindingKind::SignedOverflow, "the sum does not fit its type"),
            Requirement::Difference => (FindingKind::SignedOverflow, "the difference does not fit its type"),
            Requirement::Product => (FindingKind::SignedOverflow, "the product does not fit its type"),
            Requirement::Negation => (FindingKind::SignedOverflow, "the negated number does not fit its type"),
            Requirement::Quotient => (FindingKind::DivisionOverflow, "the smallest number is divided by -1"),
            Requirement::FloatCast => (FindingKind::FloatCast, "the number does not fit the integer type"),
        };
        self.require(cond, kind, || message.to_owned())
    }

    /// Whether what an instruction computes is the program's doing, and not an optimiser's that computes ahead what may not be
    /// used: only then is a value that nobody may use an error where it is made.
    pub(super) fn code_is_as_written(&self) -> bool {
        let function = &self.engine.program.functions[self.state.top.func];
        let users = function.origin == taw_ir::Origin::User;
        users && (!self.engine.config.optimised || function.unoptimised)
    }

    /// Whether a check on request is to be made of instructions. Of sources the compiler has put it into the code; where code
    /// was optimised it cannot be made, which is noted.
    pub(super) fn checks_instructions(&mut self, is_asked: bool, what: &'static str) -> bool {
        if !is_asked || self.engine.config.checks.in_the_code {
            return false;
        }
        let function = &self.engine.program.functions[self.state.top.func];
        if function.origin == taw_ir::Origin::User && !self.code_is_as_written() {
            self.engine.doubts.insert(Doubt::Unchecked(what));
        }
        self.code_is_as_written()
    }
}
