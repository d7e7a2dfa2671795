//! States in a line: take from either end, leave from anywhere, in logarithmic time.

use std::collections::{BTreeMap, HashMap};

use crate::StateId;

/// An ordered set of states. Joining is at the back.
#[derive(Debug, Default)]
pub(crate) struct Line {
    by_ticket: BTreeMap<u64, StateId>,
    ticket_of: HashMap<StateId, u64>,
    next_ticket: u64,
}

impl Line {
    /// Puts `id` at the back, also if it was in the line before.
    pub(crate) fn join(&mut self, id: StateId) {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        if let Some(old) = self.ticket_of.insert(id, ticket) {
            self.by_ticket.remove(&old);
        }
        self.by_ticket.insert(ticket, id);
    }

    /// Takes `id` out of the line, if it is in it.
    pub(crate) fn leave(&mut self, id: StateId) {
        if let Some(ticket) = self.ticket_of.remove(&id) {
            self.by_ticket.remove(&ticket);
        }
    }

    /// Whether `id` is in the line.
    pub(crate) fn contains(&self, id: StateId) -> bool {
        self.ticket_of.contains_key(&id)
    }

    /// The one that has waited longest.
    pub(crate) fn front(&self) -> Option<StateId> {
        self.by_ticket.first_key_value().map(|(_, &id)| id)
    }

    /// The one that joined last.
    pub(crate) fn back(&self) -> Option<StateId> {
        self.by_ticket.last_key_value().map(|(_, &id)| id)
    }
}
