//! Symbolic inputs: making them, and reading their values off a witness.

use std::rc::Rc;
use std::sync::Arc;

use taw_expr::{Assignment, Term, Var};

use crate::cx::Cx;
use crate::input_names::unique_name;
use crate::memory::bytes_of;
use crate::state::{MadeInput, State, Witness};
use crate::stop::Stop;
use crate::test_case::{Input, InputType};
use crate::unknown::same_bytes;
use crate::value::Value;

/// What tells inputs of a run from each other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct InputKey {
    /// How many the path has made before.
    position: usize,
    name: String,
    size: usize,
    /// Bytes of each variable.
    element: usize,
    /// Of a choice what there is to choose from: on another path a pointer of that name may have other choices.
    choices: Option<Arc<[String]>>,
}

impl Cx<'_, '_> {
    /// Makes an input of `size` bytes out of variables of `element` bytes each (1 to 8, a divisor of `size`).
    ///
    /// Paths that make inputs alike in the same order share variables, and so terms and answers of the solver.
    pub fn make_input(&mut self, name: &str, ty: InputType, size: usize, element: usize) -> Rc<[Var]> {
        let name = unique_name(self.state, &mut self.engine.input_names, name);
        let choices = if let InputType::Choice(words) = &ty { Some(Arc::clone(words)) } else { None };
        let key = InputKey { position: self.state.inputs.len(), name: name.clone(), size, element, choices };
        let record = match self.engine.inputs.get(&key) {
            Some(record) if record.ty == ty => Rc::clone(record),
            Some(record) => {
                let vars = Rc::clone(&record.vars);
                Rc::new(MadeInput { name: name.clone(), ty, size, vars })
            }
            None => {
                let vars = self.new_vars(&name, size, element);
                let record = Rc::new(MadeInput { name: name.clone(), ty, size, vars });
                self.engine.inputs.insert(key, Rc::clone(&record));
                record
            }
        };
        self.preset(self.state.inputs.len(), &record, element);
        let vars = Rc::clone(&record.vars);
        self.state.inputs.push(record);
        vars
    }

    /// The variables of an input that no path has made yet.
    fn new_vars(&mut self, name: &str, size: usize, element: usize) -> Rc<[Var]> {
        let count = size / element.max(1);
        let distinct = self.engine.inputs.len();
        let new = |i: usize| {
            let of_array = if count == 1 { String::new() } else { format!("[{i}]") };
            self.engine.terms.new_var(&format!("{name}{of_array}#{distinct}"), element as u32 * 8)
        };
        (0..count).map(new).collect()
    }

    /// Gives an input the value it has in the test that is replayed, or in the seeds.
    fn preset(&mut self, position: usize, record: &MadeInput, element: usize) {
        let name = record.name.as_str();
        let big_endian = self.engine.program.layout.big_endian;
        if let Some(source) = self.state.chance {
            draw(record, position, source, &mut self.state.witness);
        }
        let State { seeds, witness, inputs: made, .. } = self.state;
        let set = |input: Option<&Input>, witness: &mut Witness| set_vars(input, record, element, witness, big_endian);
        if let Some(recorded) = &self.engine.config.replay {
            match input_for(&recorded.inputs, position, name) {
                Some(input) => set(Some(input), witness),
                None => set(same_bytes(&recorded.inputs, record).as_ref(), witness),
            }
        }
        for (i, seed) in seeds.iter_mut().enumerate() {
            // One of another name is taken at its place, unless it has been taken by its name.
            let in_order =
                || seed.inputs.get(position).filter(|input| made.newest_first().all(|made| made.name != input.name));
            let by_name = input_for(&seed.inputs, position, name);
            if let (None, Some(other)) = (by_name, in_order()) {
                self.engine.seeded_in_order.insert((name.to_owned(), other.name.clone()));
            }
            set(by_name.or_else(in_order), &mut seed.witness);
            if i == 0 {
                *witness = seed.witness.clone();
            }
        }
    }

    /// What the program sees of a part of an input: the variable, or its value where nothing is to be symbolic.
    pub fn input_term(&mut self, var: Var) -> Term {
        let t = self.engine.terms.var(var);
        if !self.engine.config.concrete {
            return t;
        }
        let (word, width) = (self.state.witness.word(&self.engine.terms, t), self.engine.terms.width(t));
        self.engine.terms.bv(width, word)
    }

    /// A scalar input of `width` bits: at most 64 bits is one variable, more are several.
    pub fn scalar_input(&mut self, name: &str, ty: &str, width: u32) -> Value {
        let size = width.div_ceil(8) as usize;
        let element = if size.is_power_of_two() && size <= 8 {
            size
        } else if size.is_multiple_of(8) {
            8
        } else {
            1
        };
        let vars = self.make_input(name, InputType::Scalar(ty.to_owned()), size, element);
        let mut whole: Option<Term> = None;
        for &var in vars.iter() {
            let part = self.input_term(var);
            whole = Some(match whole {
                None => part,
                Some(low) => self.terms().concat(part, low),
            });
        }
        let whole = whole.expect("an input has at least one byte");
        let t = self.terms().extract(whole, 0, width);
        self.value(t)
    }

    /// Makes the content of `size` bytes at a pointer symbolic.
    ///
    /// # Errors
    /// If the memory may not be written.
    pub fn symbolic_memory(&mut self, ptr: Value, size: u64, name: &str) -> Result<(), Stop> {
        let bits = self.pointer_bits();
        let address = self.concretise(ptr, bits);
        let place = self.resolve(Value::word(address), size, crate::access::Access::Write)?;
        let crate::access::ObjectPlace::At(base, offset) = place else {
            unreachable!("a concrete pointer has a concrete place");
        };
        if size == 0 {
            return Ok(());
        }
        let element = u64::from(self.object(base).element);
        let whole = element.is_power_of_two() && element <= 8 && size.is_multiple_of(element);
        let element = if whole && (offset as u64).is_multiple_of(element) { element as usize } else { 1 };
        let vars = self.make_input(name, InputType::Bytes, size as usize, element);
        let big_endian = self.big_endian();
        for (i, &var) in vars.iter().enumerate() {
            let t = self.input_term(var);
            let value = self.value(t);
            let object = self.state.memory.object_mut(base);
            object.store(&mut self.engine.terms, offset + i * element, value, element as u32 * 8, big_endian);
        }
        Ok(())
    }

    /// A string that must be concrete (names, labels, formats).
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_string(&mut self, ptr: Value) -> Result<String, Stop> {
        let bytes = self.read_bytes_until_zero(ptr)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// As [`read_string`](Self::read_string), where it decides something: pointer and bytes may be symbolic (a compiler merges calls), and each string is a
    /// path of its own.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_label(&mut self, ptr: Value) -> Result<String, Stop> {
        let bits = self.pointer_bits();
        let mut address = self.concretise(ptr, bits);
        let mut bytes = Vec::new();
        loop {
            let byte = self.load(Value::word(address), 8)?;
            match self.concretise(byte, 8) as u8 {
                0 => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
                byte => bytes.push(byte),
            }
            address += 1;
        }
    }

    /// The bytes of a string; symbolic ones are the witness's, without splitting the path.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_bytes_until_zero(&mut self, ptr: Value) -> Result<Vec<u8>, Stop> {
        let mut address = match ptr.as_term() {
            None => ptr.as_word().unwrap_or_default(),
            Some(t) => self.witness_word(t),
        };
        let mut bytes = Vec::new();
        loop {
            let byte = self.load(Value::word(address), 8)?;
            let byte = match byte.as_term() {
                None => byte.as_word().unwrap_or_default(),
                Some(t) => self.witness_word(t),
            };
            if byte == 0 {
                return Ok(bytes);
            }
            bytes.push(byte as u8);
            address += 1;
        }
    }

    /// Notes that a marker was passed, each label once.
    pub fn pass_marker(&mut self, label: String) {
        if !self.state.labels.contains(&label) {
            Rc::make_mut(&mut self.state.labels).push(label.clone());
        }
        self.look_at_label(&label);
    }
}

/// Gives an input a value by chance. A choice keeps its own: the first is mostly the one that gets furthest.
pub(crate) fn draw(made: &MadeInput, position: usize, source: u64, witness: &mut Witness) {
    if matches!(made.ty, InputType::Choice(_)) {
        return;
    }
    let size = made.size / made.vars.len().max(1);
    for (number, &var) in made.vars.iter().enumerate() {
        let word = mixed(mixed(source, position as u64), number as u64);
        witness.set(var, word & crate::value::mask(size as u32 * 8));
    }
}

/// A word that looks random, of two others (Steele and others, SplittableRandom, 2014).
fn mixed(source: u64, number: u64) -> u64 {
    let mut word = source.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Gives an input that there is the value that it has among those.
pub(crate) fn set_input(inputs: &[Input], position: usize, made: &MadeInput, witness: &mut Witness, big_endian: bool) {
    let element = made.size / made.vars.len().max(1);
    set_vars(input_for(inputs, position, &made.name), made, element, witness, big_endian);
}

fn set_vars(input: Option<&Input>, record: &MadeInput, element: usize, witness: &mut Witness, big_endian: bool) {
    let Some(input) = input else { return };
    if let Some(way) = same_choice(input, &record.ty) {
        witness.set(record.vars[0], way);
        return;
    }
    for (var, part) in record.vars.iter().zip(input.bytes.chunks(element.max(1))) {
        witness.set(*var, crate::memory::word_of(part, big_endian));
    }
}

/// The number that a recorded choice has on this path: pointers that were met in another order have the same choices under other numbers. One that
/// there is not is none of them.
fn same_choice(input: &Input, ty: &InputType) -> Option<u64> {
    let (InputType::Choice(then), InputType::Choice(now)) = (&input.ty, ty) else { return None };
    let number = usize::from(*input.bytes.first()?);
    let meant = then.get(number)?;
    let is_same = now.get(number) == Some(meant);
    let found = if is_same { Some(number) } else { now.iter().position(|word| word == meant) };
    Some(found.unwrap_or(now.len()) as u64)
}

/// The recorded input that an input is: the one of its name, else (formats without names) the one at its position.
fn input_for<'i>(inputs: &'i [Input], position: usize, name: &str) -> Option<&'i Input> {
    // Nearly always they come in order, and there may be a hundred thousand.
    let in_order = inputs.get(position).filter(|i| i.name == name);
    let by_name = in_order.or_else(|| inputs.iter().find(|i| i.name == name));
    by_name.or_else(|| inputs.get(position).filter(|i| i.name.is_empty()))
}

/// The inputs of a state with the values an assignment gives them.
pub(crate) fn inputs_of(records: &[&Rc<MadeInput>], assignment: &Assignment, big_endian: bool) -> Vec<Input> {
    let value = |record: &MadeInput| {
        let element = record.size / record.vars.len().max(1);
        record
            .vars
            .iter()
            .flat_map(|v| bytes_of(assignment.value(*v), element, big_endian).into_iter().take(element))
            .collect()
    };
    records.iter().map(|r| Input { name: r.name.clone(), ty: r.ty.clone(), bytes: value(r) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(words: &[&str]) -> InputType {
        InputType::Choice(words.iter().map(|word| (*word).to_owned()).collect())
    }

    /// A path on which pointers are met in another order numbers the same choices otherwise.
    #[test]
    fn a_recorded_choice_is_found_by_its_meaning() {
        let then =
            |way: u8| Input { name: "p".into(), ty: choice(&["", "null", "an element of `q`"]), bytes: vec![way] };
        let now = choice(&["an object of `p`", "null", "an element of `r`", "an element of `q`"]);
        assert_eq!(same_choice(&then(1), &now), Some(1));
        assert_eq!(same_choice(&then(2), &now), Some(3));
        assert_eq!(
            same_choice(&then(2), &choice(&["an object of `p`", "null"])),
            Some(2),
            "none of those that there are"
        );
        assert_eq!(same_choice(&then(1), &InputType::Bytes), None);
    }
}
