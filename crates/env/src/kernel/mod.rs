//! The modelled kernel of one path: what system calls act on instead of the host.
//!
//! Invariant: a value like the rest of the state; copying it is cheap, and no path sees what another did.

use std::rc::Rc;

use taw_engine::{Environment, Given, Witness};
use taw_expr::Terms;

use crate::{Start, World};

/// The kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// What the user asked for.
    pub world: Rc<World>,
    /// What became of it on this path.
    pub start: Rc<Start>,
    /// Address of the environment's pointers, for the C library.
    pub environ: u64,
    /// Address of the program's name, for the C library.
    pub program_name: u64,
}

impl Kernel {
    /// The kernel before anything runs.
    pub fn new(world: World) -> Self {
        Kernel { world: Rc::new(world), start: Rc::default(), environ: 0, program_name: 0 }
    }
}

impl Environment for Kernel {
    fn given(&self, terms: &Terms, witness: &mut Witness) -> Given {
        self.start.given(&self.world, terms, witness)
    }
}
