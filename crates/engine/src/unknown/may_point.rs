//! What the whole program lets an unknown pointer be (`--alias points-to`).
//!
//! Where `main` leads to the entry and nothing forbids the analysis (`ir/src/points_to/`), a parameter is only what some call passes, and a pointer in an
//! object only what that object may hold. Whoever makes choices asks here what is worth one; without the analysis everything may be.
//!
//! Invariant: a *no* is a conclusion from what the program does, so the run rests on [`Premise::OnlyCalls`] from then on.

use std::rc::Rc;

use taw_ir::{AbstractObject, FuncId, GlobalId, Param, Pointees, PointsTo, PointsToObstacle, Program};

use super::Alias;
use super::global::may_change;
use crate::cx::{Cx, Engine};
use crate::reason::Premise;

/// Why the whole program does not tell what an entry is called with.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CallersUnknown {
    /// Something is not followed.
    Obstacle(PointsToObstacle),
    /// No path from `main` calls it.
    NotCalled,
    /// This parameter may be anything.
    Parameter(String),
}

/// What a pointer may be, if somebody knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct MayPoint(Option<Rc<Pointees>>);

impl Engine<'_> {
    /// The analysis of the whole program, if it is wanted and says something of calls of a function.
    pub(super) fn known_calls(&mut self, entry: FuncId) -> Option<Rc<PointsTo>> {
        if self.config.shapes.alias != Alias::PointsTo {
            return None;
        }
        if self.points_to.is_none() {
            self.points_to = Some(Rc::new(self.points_to()));
        }
        self.points_to.clone().filter(|analysis| analysis.obstacle().is_none() && analysis.runs(entry))
    }

    /// Notes why the analysis does not say anything. That there is no `main`, everybody knows.
    fn note_callers(&mut self, entry: FuncId) {
        let why = match self.points_to.as_ref().map(|analysis| analysis.obstacle()) {
            None | Some(Some(PointsToObstacle::NoMain)) => return,
            Some(Some(obstacle)) => CallersUnknown::Obstacle(obstacle),
            Some(None) => CallersUnknown::NotCalled,
        };
        self.callers_unknown.insert((entry, why));
    }
}

impl Cx<'_, '_> {
    /// What a parameter of the entry may be.
    pub(super) fn may_of_parameter(&mut self, param: &Param) -> MayPoint {
        self.may_of_parameters(std::slice::from_ref(param))
    }

    /// What pointers that are passed in any of these parameters may be.
    pub(super) fn may_of_parameters(&mut self, params: &[Param]) -> MayPoint {
        let entry = self.state.start;
        let Some(analysis) = self.engine.known_calls(entry) else {
            self.engine.note_callers(entry);
            return MayPoint::default();
        };
        let all = &self.engine.program.functions[entry].params;
        let mut may = Pointees::default();
        for param in params {
            let at = all.iter().position(|one| one.reg == param.reg).expect("a parameter of the entry");
            may.extend(&analysis.parameter(entry, at));
        }
        if let Some(param) = params.iter().find(|_| may.is_anything()) {
            let why = CallersUnknown::Parameter(param.name.clone());
            self.engine.callers_unknown.insert((entry, why));
        }
        MayPoint(Some(Rc::new(may)))
    }

    /// What pointers in the objects may be that a pointer leads to.
    pub(super) fn may_be_inside(&mut self, may: &MayPoint) -> MayPoint {
        let analysis = self.engine.known_calls(self.state.start);
        let inside = analysis.zip(may.0.as_ref()).map(|(analysis, may)| Rc::new(analysis.content(may)));
        MayPoint(inside)
    }

    /// What pointers in a global variable may be.
    pub(super) fn may_be_in_global(&mut self, id: GlobalId) -> MayPoint {
        let analysis = self.engine.known_calls(self.state.start);
        MayPoint(analysis.map(|analysis| Rc::new(analysis.content_of_global(id))))
    }

    /// Asks the analysis; a *no* is something that the run rests on.
    fn asked(&mut self, may: &MayPoint, ask: impl FnOnce(&PointsTo, &Pointees, &Program) -> bool) -> bool {
        let entry = self.state.start;
        let Some((analysis, may)) = self.engine.known_calls(entry).zip(may.0.as_ref()) else { return true };
        let yes = ask(&analysis, may, self.engine.program);
        if !yes {
            self.engine.premises.insert(Premise::OnlyCalls(entry));
        }
        yes
    }

    /// Whether a pointer may be null.
    pub(super) fn may_be_null(&mut self, may: &MayPoint) -> bool {
        self.asked(may, |_, may, _| may.may_be_null())
    }

    /// Whether it may be something else than null.
    pub(super) fn may_be_object(&mut self, may: &MayPoint) -> bool {
        let is_object = |object| object != AbstractObject::Null;
        self.asked(may, |analysis, may, _| analysis.objects(may).any(is_object))
    }

    /// Whether two pointers may lead to one object.
    pub(super) fn may_share(&mut self, a: &MayPoint, b: &MayPoint) -> bool {
        let Some(b) = b.0.clone() else { return true };
        self.asked(a, |_, a, _| a.may_share(&b))
    }

    /// Whether it may lead to a global variable.
    pub(super) fn may_be_global(&mut self, may: &MayPoint, id: GlobalId) -> bool {
        self.asked(may, |analysis, may, _| analysis.may_be(may, AbstractObject::Global(id)))
    }

    /// Whether it may lead to any of the global variables that may change.
    pub(super) fn may_be_some_global(&mut self, may: &MayPoint) -> bool {
        self.asked(may, |analysis, may, program| {
            analysis.objects(may).any(|object| match object {
                AbstractObject::Global(id) => may_change(&program.globals[id]),
                object => object == AbstractObject::Anything,
            })
        })
    }

    /// Whether it may lead to a function of the program.
    pub(super) fn may_be_function(&mut self, may: &MayPoint, func: FuncId) -> bool {
        self.asked(may, |analysis, may, _| analysis.may_be(may, AbstractObject::Function(func)))
    }

    /// Whether it may be a number that is no address, such as `(void *)-1`.
    pub(super) fn may_be_number(&mut self, may: &MayPoint) -> bool {
        self.asked(may, |analysis, may, _| analysis.may_be(may, AbstractObject::Nowhere))
    }

    /// Whether it may lead to code that nobody has.
    pub(super) fn may_be_unknown_code(&mut self, may: &MayPoint) -> bool {
        self.asked(may, |_, may, _| may.is_anything())
    }

    /// Whether it may lead to characters without a zero byte after them: all that are constants end with one.
    pub(super) fn may_be_unterminated(&mut self, may: &MayPoint) -> bool {
        self.asked(may, |analysis, may, program| {
            analysis.objects(may).any(|object| match object {
                AbstractObject::Null => false,
                AbstractObject::Global(id) => !ends_with_zero(program, id),
                _ => true,
            })
        })
    }

    /// Whether the program may pass something that is none of these functions, nor null, nor code that nobody has.
    pub(super) fn may_be_other_code(&self, may: &MayPoint, tried: &[FuncId]) -> bool {
        let analysis = self.engine.points_to.as_ref();
        let Some((analysis, may)) = analysis.zip(may.0.as_ref()).filter(|(_, may)| !may.is_anything()) else {
            return false;
        };
        analysis.objects(may).any(|object| match object {
            AbstractObject::Null => false,
            AbstractObject::Function(func) => !tried.contains(&func),
            _ => true,
        })
    }
}

fn ends_with_zero(program: &Program, id: GlobalId) -> bool {
    let global = &program.globals[id];
    let init = global.init.as_ref().filter(|init| init.relocations.is_empty());
    global.constant && init.is_some_and(|init| init.bytes.last() == Some(&0))
}
