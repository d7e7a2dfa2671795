//! Calls and jumps through pointers: where they go.
//!
//! Every place that the pointer can be is a path of its own; all its other values together are one error. A pointer that is
//! chosen among known addresses is one of those; one out of nowhere (an input) is any function whose address the program takes
//! and that accepts the call, or any label of the jump: what the program never names has no address that it could know.

use taw_expr::{ArrayNode, Node, Term};
use taw_ir::{Call, EdgeId, EntityRef, FuncId, Function, Operand};

use super::Flow;
use crate::cx::Cx;
use crate::finding::FindingKind;
use crate::path::Tried;
use crate::reason::Bound;
use crate::stop::Stop;
use crate::value::Value;

impl Cx<'_, '_> {
    /// The function a pointer points at: the witness's; others are split off.
    pub(super) fn callee_of(&mut self, pointer: Value, call: &Call) -> Result<FuncId, Stop> {
        if let Some(address) = pointer.as_word() {
            self.approach(address, 0)?;
        }
        let func = match pointer.as_term() {
            None => self.function_at(pointer.as_word().unwrap_or_default()),
            Some(t) => {
                let places = match self.choices_of(t) {
                    Some(places) => places,
                    None if self.is_of_union(t) => {
                        self.require_nowhere(t)?;
                        Vec::new()
                    }
                    None if self.is_of_bytes(t) => return Err(Stop::NotTried(Bound::Bytes)),
                    None => self.callable(call),
                };
                self.choose(t, &places).and_then(|address| self.function_at(address))
            }
        };
        if func.is_none() {
            let address = self.address_for_message(pointer);
            self.check_code(address)?;
        }
        func.ok_or_else(|| {
            let address = self.address_for_message(pointer);
            let message = format!("a call to address {address:#x}, where no function is");
            Stop::Bug(FindingKind::InvalidFunctionPointer, message)
        })
    }

    pub(crate) fn function_at(&self, address: u64) -> Option<FuncId> {
        let number = self.state.memory.function_at(address)?;
        (number < self.engine.program.functions.len()).then(|| FuncId::new(number))
    }

    /// Addresses of functions that a pointer from nowhere can call.
    fn callable(&self, call: &Call) -> Vec<u64> {
        let accepts = |func: &&FuncId| self.engine.program.functions[**func].accepts(call);
        let fitting = self.image.taken.iter().filter(accepts);
        fitting.map(|func| self.state.memory.function_address(func.index())).collect()
    }

    pub(super) fn indirect_br(&mut self, function: &Function, addr: Operand, edges: &[EdgeId]) -> Result<Flow, Stop> {
        let func = self.state.top.func;
        let edge_to = |edge: &EdgeId| Some((self.image.address_of_block(func, function.edges[*edge].to)?, *edge));
        let labels: Vec<(u64, EdgeId)> = edges.iter().filter_map(edge_to).collect();
        let pointer = self.read(addr);
        let address = match pointer.as_term() {
            None => pointer.as_word(),
            Some(t) => self.choose(t, &labels.iter().map(|(address, _)| *address).collect::<Vec<_>>()),
        };
        match address.and_then(|address| labels.iter().find(|(label, _)| *label == address)) {
            Some(&(_, edge)) => Ok(self.take_edge(function, edge)),
            None => {
                let address = self.address_for_message(pointer);
                let message = format!("a jump to {address:#x}, which is no label of this function");
                Err(Stop::Bug(FindingKind::InvalidFunctionPointer, message))
            }
        }
    }

    /// The place that a pointer is at here. Others are split off; where it is at none, all its values stay together.
    pub fn choose(&mut self, t: Term, places: &[u64]) -> Option<u64> {
        let bits = self.pointer_bits();
        let address = self.witness_word(t);
        if let Some(number) = places.iter().position(|place| *place == address) {
            self.settle(Tried::Place(t), t, address, bits, number as u32 + 1);
            return Some(address);
        }
        let mut any = self.terms().bool(false);
        for &place in places {
            let place = self.terms().bv(bits, place);
            let here = self.terms().eq(t, place);
            any = self.terms().or(any, here);
        }
        self.attempt(Tried::Place(t), any, 1);
        None
    }

    /// The addresses that a pointer is chosen among, if that is all there is to it.
    fn choices_of(&self, t: Term) -> Option<Vec<u64>> {
        let terms = &self.engine.terms;
        let (mut found, mut todo) = (Vec::new(), vec![t]);
        let mut seen = std::collections::HashSet::new();
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            match *terms.node(t) {
                Node::Const(ref bits) => found.extend(self.function_at(bits.low()).map(|_| bits.low())),
                Node::Ite(_, a, b) => todo.extend([b, a]),
                Node::Select(array, _) => match terms.array(array) {
                    ArrayNode::Elements(elements) => todo.extend(elements),
                    ArrayNode::Store { .. } => return None,
                },
                _ => return None,
            }
        }
        Some(found)
    }

    fn address_for_message(&mut self, pointer: Value) -> u64 {
        match pointer.as_term() {
            None => pointer.as_word().unwrap_or_default(),
            Some(t) => self.witness_word(t),
        }
    }

    /// Ends the path where a pointer is called with arguments that its function cannot take: that is undefined in C, and the
    /// call graph, which says what cannot be reached, does not expect it.
    pub(super) fn require_fit(&self, func: FuncId, call: &Call) -> Result<(), Stop> {
        let function = &self.engine.program.functions[func];
        if function.accepts(call) {
            return Ok(());
        }
        let (name, passed, wanted) = (&function.name, call.args.len(), function.params.len());
        let message = if passed < wanted {
            format!("{name} has {wanted} parameters, and the call passes {passed}")
        } else {
            format!(
                "{name} is called with a whole number where it has a floating-point parameter, or the other way round"
            )
        };
        Err(Stop::Bug(FindingKind::InvalidFunctionPointer, message))
    }
}
