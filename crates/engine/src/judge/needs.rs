//! What a caller has to do, told of the facts that an error needs.
//!
//! Pointers, lengths and text are told as the test has them (or as everybody expects, where that fits the facts as well), and are given from then
//! on; of the other facts that leaves conditions on numbers. So what is told may ask more than is needed, and never less.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use taw_expr::{Assignment, Evaluator, Term, Var};
use taw_ir::Inst;

use super::c_text::{Naming, condition, in_order};
use super::literals::Literal;
use super::{CallerClass, CallerNeed, ErrorPath, Judgement, ShortArray};
use crate::cx::Engine;
use crate::finding::FindingKind;
use crate::state::MadeInput;
use crate::unknown::{Argument, MadeOf, Pointer, PointerChoice, UnknownObject, place_in_words, stream_name};

/// Conditions on numbers that are told; of the others only the names.
const TOLD: usize = 4;

/// Telling what facts ask of a caller.
struct Telling<'a, 'p> {
    engine: &'a mut Engine<'p>,
    error: &'a ErrorPath,
    facts: &'a [Literal],
    /// The inputs of each fact.
    inputs: Vec<BTreeSet<Var>>,
    /// A call that satisfies the facts.
    call: Assignment,
    /// What is told already.
    given: BTreeMap<Var, u64>,
    needs: Vec<CallerNeed>,
    /// Numbers that have to be greater than something: by name.
    greater: Vec<(String, u64)>,
}

impl Engine<'_> {
    /// What facts ask of the caller, in all.
    pub(super) fn class_of_path(&mut self, error: &ErrorPath, facts: &[Literal]) -> CallerClass {
        let mut telling = Telling::new(self, error, facts);
        telling.pointers();
        telling.lengths();
        let class = class_of(error.finding.kind, &telling.needs);
        if facts.is_empty() { class } else { class.max(CallerClass::Values) }
    }

    /// How much a fact blames the caller; what everybody expects least.
    pub(super) fn blame(&self, error: &ErrorPath, fact: Term) -> u8 {
        let vars: Vec<Var> = self.terms.vars_in(self.terms.vars_of(fact)).collect();
        let is = |record: &Option<Rc<MadeInput>>| record.as_ref().is_some_and(|record| vars.contains(&record.vars[0]));
        let choice = |pointer: &Rc<Pointer>| {
            let way = pointer.selector.as_ref().map_or(0, |record| error.value(record.vars[0]));
            match pointer.choices.get(way as usize) {
                _ if way == 0 => 0,
                Some(PointerChoice::Null) => 4,
                Some(PointerChoice::Function(_)) => 1,
                _ => 3,
            }
        };
        let of_pointer = error.unknowns.pointers.iter().filter(|pointer| is(&pointer.selector)).map(choice).max();
        let of_length = error.unknowns.objects.iter().any(|object| is(&object.further) && !object.text);
        of_pointer.unwrap_or(1).max(if of_length { 2 } else { 0 })
    }

    /// What facts ask of the caller, in detail.
    pub(super) fn needs(&mut self, error: &ErrorPath, facts: &[Literal]) -> Judgement {
        let mut telling = Telling::new(self, error, facts);
        telling.pointers();
        telling.unions();
        telling.lengths();
        telling.texts();
        telling.numbers();
        let pair = telling.pair();
        let mut needs = telling.needs;
        needs.sort();
        needs.dedup();
        // What decided it may be no input of anybody's, such as memory that was never written.
        if needs.is_empty() && !facts.is_empty() {
            needs.push(CallerNeed::DependsOn(Vec::new()));
        }
        let class = class_of(error.finding.kind, &needs);
        let is_precondition = class >= CallerClass::Aliasing && needs.iter().all(is_of_parameters);
        Judgement { finding: error.finding.clone(), of_path: error.class, class, needs, pair, is_precondition }
    }
}

/// The class of what is needed, all together.
fn class_of(kind: FindingKind, needs: &[CallerNeed]) -> CallerClass {
    // A program that checks its parameters says itself whose fault it is.
    let is_check = matches!(kind, FindingKind::AssertionFailure | FindingKind::Abort | FindingKind::ReportedError);
    let one = |need: &CallerNeed| match need {
        CallerNeed::Null { tested, .. } if *tested && !is_check => CallerClass::Values,
        CallerNeed::Null { .. } => CallerClass::Null,
        CallerNeed::Same { .. }
        | CallerNeed::Past { .. }
        | CallerNeed::Inside { .. }
        | CallerNeed::Elsewhere { .. } => CallerClass::Aliasing,
        CallerNeed::Short { .. } => CallerClass::Lengths,
        _ => CallerClass::Values,
    };
    needs.iter().map(one).max().unwrap_or(CallerClass::Always)
}

/// Whether what is needed is no more than a parameter that is null or points where another does, or is to be expected of any call.
fn is_of_parameters(need: &CallerNeed) -> bool {
    match need {
        CallerNeed::Null { parameter, .. } => *parameter,
        CallerNeed::Same { parameters, .. }
        | CallerNeed::Past { parameters, .. }
        | CallerNeed::Inside { parameters, .. } => *parameters,
        CallerNeed::Short { .. } | CallerNeed::Elsewhere { .. } => false,
        CallerNeed::Union { .. } => false,
        CallerNeed::Known { .. } | CallerNeed::Text { .. } | CallerNeed::Holds(_) | CallerNeed::DependsOn(_) => true,
        CallerNeed::Object { .. } | CallerNeed::Enough { .. } => true,
    }
}

/// The inputs that are the characters of text.
fn characters(text: &UnknownObject) -> Vec<Var> {
    let made = text.made.iter().filter_map(|made| match &made.what {
        MadeOf::Input(record) => Some(record),
        MadeOf::Pointer(_) | MadeOf::Word(_) => None,
    });
    made.flat_map(|record| record.vars.to_vec()).collect()
}

/// The input that is an object's length, if it has one yet.
fn length(object: &UnknownObject) -> Option<Var> {
    object.further.as_ref().map(|record| record.vars[0])
}

impl<'a, 'p> Telling<'a, 'p> {
    fn new(engine: &'a mut Engine<'p>, error: &'a ErrorPath, facts: &'a [Literal]) -> Self {
        let terms = &engine.terms;
        let inputs = facts.iter().map(|fact| terms.vars_in(terms.vars_of(fact.term)).collect()).collect();
        Telling {
            engine,
            error,
            facts,
            inputs,
            call: (*error.witness).clone(),
            given: BTreeMap::new(),
            needs: Vec::new(),
            greater: Vec::new(),
        }
    }

    /// The facts that are about an input.
    fn about(&self, var: Var) -> Vec<usize> {
        (0..self.facts.len()).filter(|&fact| self.inputs[fact].contains(&var)).collect()
    }

    /// Lets an input have a value in the call, if the facts about it hold then too.
    fn suits(&mut self, var: Var, value: u64, facts: &[usize]) -> bool {
        let mut call = self.call.clone();
        call.set(var, value);
        let mut evaluator = Evaluator::new(call.clone());
        let holds = facts.iter().all(|&fact| evaluator.holds(&self.engine.terms, self.facts[fact].term));
        if holds {
            self.call = call;
        }
        holds
    }

    /// Pointers that facts are about: where each points.
    fn pointers(&mut self) {
        let unknowns = Rc::clone(&self.error.unknowns);
        for pointer in &unknowns.pointers {
            let Some(var) = pointer.selector.as_ref().map(|record| record.vars[0]) else { continue };
            let facts = self.about(var);
            if facts.is_empty() {
                continue;
            }
            // Where nothing else hangs on it, an object of its own will do as well.
            if facts.iter().all(|&fact| self.inputs[fact].len() == 1) {
                self.suits(var, 0, &facts);
            }
            let way = self.call.value(var);
            self.given.insert(var, way);
            let at = pointer.index.as_ref().map(|record| record.vars[0]).filter(|index| !self.about(*index).is_empty());
            let at = at.map(|index| (index, self.call.value(index)));
            self.given.extend(at);
            if let Some(&choice) = pointer.choices.get(way as usize) {
                let need = self.need_of(pointer, choice, way, at.map(|(_, value)| value), &facts);
                self.needs.push(need);
            }
        }
    }

    /// Unions that facts are about: what each holds.
    fn unions(&mut self) {
        let unknowns = Rc::clone(&self.error.unknowns);
        for union in unknowns.objects.iter().flat_map(|object| &object.unions) {
            let Some(var) = union.selector.as_ref().map(|record| record.vars[0]) else { continue };
            if self.about(var).is_empty() {
                continue;
            }
            let way = self.call.value(var);
            self.given.insert(var, way);
            let members = union.contents.get(way as usize).map(|content| content.names.clone()).unwrap_or_default();
            self.needs.push(CallerNeed::Union { union: union.name.clone(), members });
        }
    }

    fn need_of(
        &self,
        pointer: &Pointer,
        choice: PointerChoice,
        way: u64,
        at: Option<u64>,
        facts: &[usize],
    ) -> CallerNeed {
        let name = pointer.name.clone();
        let unknowns = &self.error.unknowns;
        let program = self.engine.program;
        let object = match choice {
            PointerChoice::Function(function) => {
                return CallerNeed::Known { pointer: name, symbol: program.functions[function].name.clone() };
            }
            PointerChoice::Stream(id) => {
                let symbol = stream_name(&program.globals[id].name).to_owned();
                return CallerNeed::Known { pointer: name, symbol };
            }
            PointerChoice::Null => {
                let (parameter, tested) = (pointer.holder.is_none(), facts.iter().any(|&fact| self.is_test(fact)));
                return CallerNeed::Null { pointer: name, parameter, tested };
            }
            PointerChoice::Object(object) | PointerChoice::Element(object) | PointerChoice::Past(object) => {
                &unknowns.objects[object]
            }
            PointerChoice::Inside(inner) => &unknowns.objects[inner.object],
        };
        let owner = unknowns.pointers.get(object.owner);
        let parameters = pointer.holder.is_none() && owner.is_some_and(|owner| owner.holder.is_none());
        match choice {
            _ if way == 0 => CallerNeed::Object { pointer: name },
            _ if object.bound.is_some() => CallerNeed::Elsewhere { pointer: name },
            PointerChoice::Inside(inner) => {
                let of_parameter = owner.map_or(object.global.is_some(), |owner| owner.holder.is_none());
                let parameters = pointer.holder.is_none() && of_parameter;
                // Of something that lies behind it, the last.
                let back = if inner.past { inner.part.stride } else { 0 };
                let at = inner.offset(at.unwrap_or(0)) - back;
                let place = place_in_words(self.engine.program, object, unknowns.pointee(pointer), at);
                CallerNeed::Inside { pointer: name, place, past: inner.past, parameters }
            }
            PointerChoice::Past(_) => CallerNeed::Past { pointer: name, other: object.name.clone(), parameters },
            _ => {
                let at = if object.is_array() { at } else { Some(0) };
                CallerNeed::Same { pointer: name, other: object.name.clone(), parameters, at }
            }
        }
    }

    /// Whether a branch of the program that looks at nothing else has decided a fact, and not an access.
    fn is_test(&self, fact: usize) -> bool {
        let functions = &self.engine.program.functions;
        let decided = self.facts[fact].decided;
        let inst = decided.and_then(|decision| functions[decision.func].code.get(decision.pc as usize));
        self.inputs[fact].len() == 1 && matches!(inst, Some(Inst::CondBr { .. }))
    }

    /// Arrays whose length facts are about: long enough, if that suits them.
    fn lengths(&mut self) {
        let unknowns = Rc::clone(&self.error.unknowns);
        for object in unknowns.objects.iter().filter(|object| !object.text) {
            let Some(var) = length(object) else { continue };
            let facts = self.about(var);
            if facts.is_empty() {
                continue;
            }
            let (pointer, is_enough) = (self.row(object), self.is_long_enough(object, var, &facts));
            let further = self.call.value(var);
            self.given.insert(var, further);
            let count = further + u64::from(!object.flexible);
            self.needs.push(match is_enough {
                true => CallerNeed::Enough { pointer, count },
                false => CallerNeed::Short { pointer, count, bytes: object.element.is_none() },
            });
        }
    }

    /// How C gets to the elements that there are several of.
    fn row(&self, object: &UnknownObject) -> String {
        let program = self.engine.program;
        let member = object.element.and_then(|ty| program.types.flexible(ty, &program.layout));
        member.map_or_else(|| object.name.clone(), |member| format!("{}->{}", object.name, member.name))
    }

    /// Whether facts ask of a length only that it is not less; then it is the longest that is tried, if that suits them.
    fn is_long_enough(&mut self, object: &UnknownObject, length: Var, facts: &[usize]) -> bool {
        let call = self.call.clone();
        // This stands for all that is longer.
        let is_enough = self.suits(length, object.most, facts);
        self.call = call;
        is_enough && (self.suits(length, object.most - 1, facts) || self.call.value(length) >= object.most)
    }

    /// Text that facts are about, as it is in the test.
    fn texts(&mut self) {
        let unknowns = Rc::clone(&self.error.unknowns);
        let texts = unknowns.objects.iter().filter(|object| object.text);
        let all = texts.clone().flat_map(|object| characters(object).into_iter().chain(length(object)));
        let all: BTreeSet<Var> = all.collect();
        for object in texts {
            let (characters, length) = (characters(object), length(object));
            if characters.iter().chain(&length).all(|var| self.about(*var).is_empty()) {
                continue;
            }
            let is_read = characters.iter().any(|var| !self.about(*var).is_empty());
            let count = length.map_or(object.most, |var| (self.call.value(var) + 1).min(object.most));
            let need = self.length_of_text(object, &all, count);
            let bytes = characters.iter().take(count as usize).map(|var| self.call.value(*var) as u8);
            let bytes: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
            self.given.extend(characters.iter().chain(&length).map(|var| (*var, self.call.value(*var))));
            let text = CallerNeed::Text { pointer: object.name.clone(), bytes };
            self.needs.extend(if is_read || need.is_none() { Some(text) } else { None });
            self.needs.extend(need);
        }
    }

    /// What facts ask of the length of text, unless that goes without saying: text that is too short for what is in it is no fault of a length,
    /// but for what a number says it is.
    fn length_of_text(&mut self, object: &UnknownObject, texts: &BTreeSet<Var>, count: u64) -> Option<CallerNeed> {
        let length = length(object)?;
        let facts = self.about(length);
        if facts.is_empty() {
            return None;
        }
        let (call, pointer) = (self.call.clone(), object.name.clone());
        let is_enough = self.is_long_enough(object, length, &facts);
        // Its end is where its content says.
        self.call = call;
        if is_enough {
            return Some(CallerNeed::Enough { pointer, count });
        }
        let is_number = |var: &Var| !texts.contains(var) && !self.given.contains_key(var);
        let is_with_number = self.inputs.iter().flatten().any(is_number);
        is_with_number.then_some(CallerNeed::Short { pointer, count, bytes: false })
    }

    /// What is left: conditions on numbers.
    fn numbers(&mut self) {
        let inputs: Vec<Rc<MadeInput>> = self.error.inputs.to_vec().into_iter().cloned().collect();
        let image = Rc::clone(&self.engine.image);
        let is_address = |word: u64| image.memory.is_address(word);
        let (mut told, mut untold) = (Vec::new(), Vec::new());
        for fact in self.facts {
            let given = |var: Var| self.given.get(&var).copied();
            let left = self.engine.terms.given(fact.term, &given);
            if self.engine.terms.as_u64(left).is_none() {
                let naming = Naming { terms: &self.engine.terms, inputs: &inputs, is_address: &is_address };
                match condition(&naming, left) {
                    Some(said) => told.push((said, left)),
                    None => untold.push(left),
                }
            }
        }
        let mut told = in_order(told);
        untold.extend(told.split_off(told.len().min(TOLD)).into_iter().map(|(_, fact)| fact));
        for (said, _) in told {
            self.greater.extend(said.greater);
            self.needs.push(CallerNeed::Holds(said.text));
        }
        let naming = Naming { terms: &self.engine.terms, inputs: &inputs, is_address: &is_address };
        let vars = untold.iter().flat_map(|fact| naming.terms.vars_in(naming.terms.vars_of(*fact)));
        let names: BTreeSet<String> = vars.filter_map(|var| naming.whole(var)).collect();
        if !names.is_empty() {
            self.needs.push(CallerNeed::DependsOn(names.into_iter().collect()));
        }
    }

    /// The only array that is too short, and the number that has to be greater than its length.
    fn pair(&self) -> Option<ShortArray> {
        let mut shorts = self.needs.iter().filter_map(|need| match need {
            CallerNeed::Short { pointer, count, .. } => Some((pointer, count)),
            _ => None,
        });
        let (pointer, count) = shorts.next().filter(|_| shorts.next().is_none())?;
        let (number, _) = self.greater.iter().find(|(_, than)| than == count)?;
        let (option, length) = (self.option_name(pointer)?, self.option_name(number)?);
        Some(ShortArray { pointer: pointer.clone(), option, length })
    }

    /// How an option names a parameter (`n`) or a member (`buf.len`); nothing else has a name there.
    fn option_name(&self, name: &str) -> Option<String> {
        let unknowns = &self.error.unknowns;
        let is_parameter = unknowns.arguments.iter().any(|argument| match argument {
            Argument::Number(record) => record.name == name,
            Argument::Pointer(number) => unknowns.pointers[*number].name == name,
            Argument::Copy(_) | Argument::Result | Argument::Waiting(_) => false,
        });
        if is_parameter {
            return Some(name.to_owned());
        }
        let types = &self.engine.program.types;
        unknowns.objects.iter().find_map(|object| {
            let member = name.strip_prefix(&object.name)?.strip_prefix("->")?;
            let of = types.spelled(object.element?);
            let of = of.strip_prefix("struct ").unwrap_or(&of).to_owned();
            let is_plain = |word: &str| word.chars().all(|c| c.is_alphanumeric() || c == '_');
            (is_plain(member) && is_plain(&of)).then(|| format!("{of}.{member}"))
        })
    }
}
