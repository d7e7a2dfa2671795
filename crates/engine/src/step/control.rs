//! Branches, and what they cover.

use taw_expr::Term;
use taw_ir::{BlockId, EdgeId, Function, Operand, Switch};

use super::Flow;
use crate::cx::Cx;
use crate::state::{Fate, State};
use crate::stop::Stop;
use crate::value::Value;

/// Moves a state along an edge.
#[inline]
fn follow(state: &mut State, consts: &[Value], function: &Function, edge: EdgeId) {
    let edge = &function.edges[edge];
    let frame = &mut state.top;
    for &(dst, src) in &edge.moves {
        let value = match src.as_reg() {
            Some(r) => frame.regs[r.as_u32() as usize],
            None => consts[src.const_index()],
        };
        frame.regs[dst.as_u32() as usize] = value;
    }
    (frame.from, frame.block) = (frame.block, edge.to);
    frame.pc = function.blocks[edge.to].start;
}

impl<'p> Cx<'_, 'p> {
    #[inline]
    pub(super) fn take_edge(&mut self, function: &Function, edge: EdgeId) -> Flow {
        self.cover(function, Some(edge));
        follow(self.state, self.consts, function, edge);
        Flow::Jumped
    }

    /// Marks the block that is being left, and the edge by which, as covered.
    #[inline]
    pub(super) fn cover(&mut self, function: &Function, edge: Option<EdgeId>) {
        let func = self.state.top.func;
        let block = self.state.top.block;
        if self.engine.coverage.is_new(&self.state.covered, func, block, edge) {
            self.cover_new(function, block, edge);
        }
    }

    #[cold]
    fn cover_new(&mut self, function: &Function, block: BlockId, edge: Option<EdgeId>) {
        let func = self.state.top.func;
        let new = self.engine.coverage.mark(&mut self.state.covered, func, block, function, edge);
        if new && function.origin.counts() {
            self.state.since_new = 0;
        }
    }

    #[inline]
    pub(super) fn cond_br(
        &mut self,
        function: &Function,
        cond: Operand,
        then: EdgeId,
        otherwise: EdgeId,
    ) -> Result<Flow, Stop> {
        let cond = self.read(cond);
        let Some(t) = cond.as_term() else {
            let edge = if cond == Value::word(0) { otherwise } else { then };
            return Ok(self.take_edge(function, edge));
        };
        self.check_undefined(t, "a branch depends on uninitialised memory")?;
        let (side, fork) = self.split(t, Fate::Continue);
        let (taken, left) = if side { (then, otherwise) } else { (otherwise, then) };
        if let Some(fork) = fork {
            self.send_along(fork, function, left);
        }
        Ok(self.take_edge(function, taken))
    }

    /// Which side a condition takes that no branch decides. Of one that depends on inputs the test knows, at the end of the path.
    pub(super) fn condition(&mut self, function: &Function, cond: Operand, then: EdgeId, otherwise: EdgeId) {
        if !function.origin.counts() {
            return;
        }
        let (func, cond) = (self.state.top.func, self.read(cond));
        let [then, otherwise] = [then, otherwise].map(|side| self.engine.coverage.edge_number(func, side));
        let Some(t) = cond.as_term() else {
            let covered = &mut self.state.covered;
            covered.insert(if cond == Value::word(0) { otherwise } else { then });
            return;
        };
        if self.engine.config.decides_values {
            let (side, _) = self.split(t, Fate::Continue);
            self.state.covered.insert(if side { then } else { otherwise });
            return;
        }
        let covered = &mut self.state.covered;
        let known = covered.has(then) && covered.has(otherwise) || self.state.sides.contains(&(then, otherwise, t));
        if !known {
            self.state.sides.insert((then, otherwise, t));
        }
    }

    /// Sends a state just split off along an edge; what the edge covers is marked when the state has been checked. The block that it
    /// leaves it has executed, as the other side has.
    fn send_along(&mut self, fork: usize, function: &Function, edge: EdgeId) {
        let state = &mut self.forks[fork];
        let left = self.engine.coverage.block_number(state.top.func, state.top.block);
        if !state.covered.has(left) {
            state.covered.insert(left);
        }
        state.entering = Some(edge);
        follow(state, self.consts, function, edge);
    }

    /// Every distinct target is one decision; the witness's is taken, the others are split off.
    pub(super) fn switch(&mut self, function: &Function, switch: &Switch) -> Result<Flow, Stop> {
        let value = self.read(switch.value);
        let Some(t) = value.as_term() else {
            let word = value.as_word().unwrap_or_default();
            let edge = switch.cases.iter().find(|(case, _)| *case == word).map_or(switch.default, |(_, edge)| *edge);
            return Ok(self.take_edge(function, edge));
        };
        self.check_undefined(t, "a switch depends on uninitialised memory")?;
        if value.provenance().is_known() {
            switch.cases.iter().for_each(|(case, _)| self.note_number(Value::word(*case), value));
        }
        let word = self.witness_word(t);
        let choices = self.switch_choices(function, switch, t);
        let block_of = |edge: EdgeId| &function.edges[edge];
        let taken = switch.cases.iter().find(|(case, _)| *case == word).map_or(switch.default, |(_, edge)| *edge);
        let mut mine = None;
        let first = self.forks.len();
        for (way, &(edge, condition)) in choices.iter().enumerate() {
            if block_of(edge) == block_of(taken) {
                mine = Some((way, condition));
            } else if self.engine.terms.as_u64(condition) != Some(0)
                && let Some(fork) = self.fork(condition, Fate::Continue, way as u32)
            {
                self.send_along(fork, function, edge);
            }
        }
        // Whichever way a path goes, it has split off as many.
        let splits = self.state.splits;
        self.forks[first..].iter_mut().for_each(|fork| fork.splits = splits);
        let (way, condition) = mine.expect("the edge taken is one of the choices");
        if self.engine.terms.as_u64(condition).is_none()
            && !self.state.facts(&self.engine.terms).known.contains(&condition)
        {
            self.decide(way as u32, condition);
        }
        Ok(self.take_edge(function, taken))
    }

    /// For each distinct target of a switch, the condition under which it is taken.
    fn switch_choices(&mut self, function: &Function, switch: &Switch, value: Term) -> Vec<(EdgeId, Term)> {
        let mut choices: Vec<(EdgeId, Term)> = Vec::new();
        let terms = &mut self.engine.terms;
        let mut none = terms.bool(true);
        for &(case, edge) in &switch.cases {
            let constant = terms.bv(switch.width, case);
            let here = terms.eq(value, constant);
            let elsewhere = terms.not(here);
            none = terms.and(none, elsewhere);
            match choices.iter_mut().find(|(e, _)| function.edges[*e] == function.edges[edge]) {
                Some((_, condition)) => *condition = terms.or(*condition, here),
                None => choices.push((edge, here)),
            }
        }
        match choices.iter_mut().find(|(e, _)| function.edges[*e] == function.edges[switch.default]) {
            Some((_, condition)) => *condition = terms.or(*condition, none),
            None => choices.push((switch.default, none)),
        }
        choices
    }
}
