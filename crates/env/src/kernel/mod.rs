//! The modelled kernel of one path: what system calls act on instead of the host.
//!
//! Invariant: a value like the rest of the state; copying it is cheap, and no path sees what another did.

use std::rc::Rc;

use taw_engine::{Environment, Given, Value, Witness};
use taw_expr::Terms;

use crate::World;

/// The kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// What the user asked for.
    pub world: Rc<World>,
    /// Arguments after the program's name as they were at the start, byte by byte, without the final zero.
    pub args: Rc<Vec<Vec<Value>>>,
    /// Environment variables as they were at the start.
    pub env: Rc<Vec<(Vec<u8>, Vec<Value>)>>,
    /// Address of the environment's pointers, for the C library.
    pub environ: u64,
    /// Address of the program's name, for the C library.
    pub program_name: u64,
}

impl Kernel {
    /// The kernel before anything runs.
    pub fn new(world: World) -> Self {
        Kernel { world: Rc::new(world), args: Rc::default(), env: Rc::default(), environ: 0, program_name: 0 }
    }
}

impl Environment for Kernel {
    fn given(&self, terms: &Terms, witness: &mut Witness) -> Given {
        let mut bytes = |values: &Vec<Value>| text(values, terms, witness);
        Given {
            args: self.args.iter().map(&mut bytes).collect(),
            env: self.env.iter().map(|(name, value)| (name.clone(), bytes(value))).collect(),
            ..Given::default()
        }
    }
}

/// Bytes as a C string sees them: up to the first zero.
fn text(values: &[Value], terms: &Terms, witness: &mut Witness) -> Vec<u8> {
    let byte = |v: &Value| match v.as_term() {
        None => v.as_word().unwrap_or_default() as u8,
        Some(t) => witness.word(terms, t) as u8,
    };
    values.iter().map(byte).take_while(|b| *b != 0).collect()
}
