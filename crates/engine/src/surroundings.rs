//! What surrounds the program on one path: a place in the state for the kernel that `env` models.
//!
//! Boundary: the engine keeps it, copies it with the state and starts it; what is in it only `env` knows.

use std::any::Any;
use std::fmt;
use std::rc::Rc;

use taw_expr::{Marks, Terms};

use crate::cx::Cx;
use crate::holds::HoldsTerms;
use crate::state::{Phase, Witness};
use crate::stop::Stop;
use crate::value::Value;

/// What surrounds the program on one path: for `env` its kernel. A value: forks share it, and whoever changes it first gets a
/// copy ([`SharedSurroundings`]).
pub trait Surroundings: Any + fmt::Debug + HoldsTerms {
    /// What a native run must be given so that it goes this way, for the inputs that the witness is.
    fn given(&self, terms: &Terms, witness: &mut Witness) -> Given;
}

/// What a native run of a test is given: concrete, where the user's `World` may leave bytes open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The program's name, `argv[0]`; empty if nobody cares.
    pub program: Vec<u8>,
    /// Arguments after the program's name.
    pub args: Vec<Vec<u8>>,
    /// Environment variables: name and value.
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// Content of standard input.
    pub stdin: Vec<u8>,
    /// Files that are there before the start: path and content. Those that come from the host are not listed.
    pub files: Vec<(String, Vec<u8>)>,
    /// Names of the inputs that all this is made of: no call of the program asks for them.
    pub inputs: Vec<String>,
    /// What the path owes to the modelled system and no native run can be made to do, in words.
    pub beyond: Vec<String>,
    /// Why a native run may rightly go another way, in words: what the program may have seen and is otherwise natively.
    pub excuses: Vec<String>,
}

/// The surroundings as states hold them: shared between forks, copied when they are changed.
#[derive(Clone, Debug)]
pub struct SharedSurroundings(Rc<dyn Surroundings>);

impl HoldsTerms for SharedSurroundings {
    fn mark(&self, marks: &mut Marks) {
        self.0.mark(marks);
    }
}

impl SharedSurroundings {
    /// Surroundings that nobody shares yet.
    pub fn new(surroundings: impl Surroundings) -> Self {
        SharedSurroundings(Rc::new(surroundings))
    }

    /// The surroundings, if they are of that type.
    pub fn get<T: Surroundings>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// The surroundings to be changed, if they are of that type: from here on this state's own.
    pub fn get_mut<T: Surroundings + Clone>(&mut self) -> Option<&mut T> {
        if Rc::get_mut(&mut self.0).is_none() {
            let copy = self.get::<T>()?.clone();
            self.0 = Rc::new(copy);
        }
        let only = Rc::get_mut(&mut self.0).expect("it was just copied");
        (only as &mut dyn Any).downcast_mut()
    }

    pub(crate) fn given(&self, terms: &Terms, witness: &mut Witness) -> Given {
        self.0.given(terms, witness)
    }
}

/// Surroundings of a program that is given nothing and calls no kernel.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl HoldsTerms for Nothing {
    fn mark(&self, _: &mut Marks) {}
}

impl Surroundings for Nothing {
    fn given(&self, _: &Terms, _: &mut Witness) -> Given {
        Given::default()
    }
}

/// Whether a start-up has more steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boot {
    /// Call again with the next number.
    More,
    /// The program may start.
    Done,
}

/// One step of making the surroundings: symbolic arguments, files, environment variables.
///
/// A step that forks is executed again from its start: it decides first and changes the state afterwards, and what must be
/// done before a decision is a step of its own.
pub type BootFn = fn(&mut Cx<'_, '_>, step: usize) -> Result<Boot, Stop>;

impl Cx<'_, '_> {
    /// Runs the steps of the start-up that are left, until one splits the state.
    pub(crate) fn boot(&mut self) -> Result<(), Stop> {
        while let Phase::Booting(step) = self.state.phase
            && self.forks.is_empty()
        {
            if step == 0 {
                self.fill_registers()?;
                self.place_staged()?;
            }
            match (self.engine.config.boot)(self, step)? {
                Boot::More => self.state.phase = Phase::Booting(step + 1),
                Boot::Done => self.start_constructors()?,
            }
        }
        Ok(())
    }

    /// Gives `main` its arguments. Does nothing if the entry is another function.
    pub fn set_main_arguments(&mut self, argc: u64, argv: u64, environ: u64) {
        let function = &self.engine.program.functions[self.state.top.func];
        if function.name != "main" {
            return;
        }
        for (param, value) in function.params.iter().zip([argc, argv, environ]) {
            self.state.top.regs[param.reg.as_u32() as usize] = Value::word(value);
        }
    }
}
