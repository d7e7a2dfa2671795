//! Those outside the program whom it can talk to: who waits where, and what each is going to say.
//!
//! A peer is one connection. It says all it has to say at once and then no more, and listens to all that it is told.

use std::rc::Rc;

use taw_engine::HoldsTerms;
use taw_expr::Marks;

use super::Kernel;
use super::content::Data;
use crate::world::PeerAddress;

/// Peers that nobody has talked to yet, in the order in which the user named them.
#[derive(Clone, Debug, Default)]
pub struct Peers(Rc<Vec<(PeerAddress, Data)>>);

impl HoldsTerms for Peers {
    fn mark(&self, marks: &mut Marks) {
        if marks.is_first(&self.0) {
            self.0.iter().for_each(|(_, says)| says.mark(marks));
        }
    }
}

impl Peers {
    /// Adds one behind the others.
    pub fn push(&mut self, at: PeerAddress, says: Data) {
        Rc::make_mut(&mut self.0).push((at, says));
    }

    /// Takes away the first at an address; what it says.
    pub fn take(&mut self, at: &PeerAddress) -> Option<Data> {
        let place = self.0.iter().position(|(address, _)| address == at)?;
        Some(Rc::make_mut(&mut self.0).remove(place).1)
    }
}

impl Kernel {
    /// Takes away the first peer at an address and notes that the path owes something to it; what it says.
    pub fn meet_peer(&mut self, at: &PeerAddress) -> Option<Data> {
        let says = self.peers.take(at)?;
        Rc::make_mut(&mut self.start).met(at);
        Some(says)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_come_once_each_and_in_order() {
        let (here, there) = (PeerAddress::Tcp(80), PeerAddress::Unix(b"s".to_vec()));
        let mut peers = Peers::default();
        let says = |text: &str| Data::Known(text.as_bytes().to_vec());
        for (at, text) in [(&here, "first"), (&there, "other"), (&here, "second")] {
            peers.push(at.clone(), says(text));
        }
        let before = peers.clone();
        assert_eq!(peers.take(&here), Some(says("first")));
        assert_eq!(peers.take(&here), Some(says("second")));
        assert_eq!(peers.take(&here), None);
        assert_eq!(peers.take(&there), Some(says("other")));
        assert_eq!(before.clone().take(&here), Some(says("first")), "another path has its own");
    }
}
