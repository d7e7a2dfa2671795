//! The calls of a driver's test as C: `struct list *list1 = list_new(); list_add(list1, 3); list_sum(list1);`.
//!
//! Boundary: reads the inputs that `driver.rs` asks for, and nothing else of the test but in which of the calls it failed.

use std::collections::{BTreeMap, BTreeSet};

use taw_engine::{Input, InputType};
use taw_ir::Layout;
use taw_report::{BuiltRecord, InputRecord, OutcomeRecord, TestFile, in_c};

use super::MADE;
use super::api::{Api, ApiFunction, ApiParameter, GivenBack, Passed};
use super::driver::{OwnSlot, ROOM, Slots, argument_input, call_input, entry_input, length_input, nth_own, own_slots};

/// Why a test proves nothing: who is to blame is not clear.
pub(super) const NULLED: &str =
    "calls fail that are given the address of a null pointer, which may be the caller's fault";

/// What is missing of a test that no driver has made.
type Strange = String;

/// The calls of a test, of which `calls` come before that of the entry.
pub(super) fn told(
    api: &Api,
    entry: &ApiFunction,
    calls: u32,
    test: &TestFile,
    layout: &Layout,
) -> Result<BuiltRecord, Strange> {
    let inputs = test.inputs.iter().map(|input| (input.name.as_str(), input)).collect();
    let mut teller = Teller { api, slots: Slots::of(api), inputs, layout, told: Vec::new(), objects: BTreeMap::new() };
    let failed = failed_in(&test.outcome);
    let mut statements = Vec::new();
    for call in 1..=failed.unwrap_or(calls) {
        let which = teller.byte(&call_input(call))?;
        let function = api.functions.get(which).ok_or("a call of no function")?;
        statements.push(teller.statement(function, &call_input(call), call)?);
    }
    if failed.is_some() && statements.last().is_some_and(|last| last.is_given_nothing) {
        return Err(NULLED.to_owned());
    }
    if failed.is_none() {
        statements.push(teller.statement(entry, &entry_input(&entry.name), calls + 1)?);
    }
    let used: BTreeSet<&String> = statements.iter().flat_map(|statement| &statement.uses).collect();
    let mut c = Vec::new();
    for statement in &statements {
        c.extend(statement.before.clone());
        let result = statement.result.as_ref().filter(|(name, _)| used.contains(name));
        c.push(format!("{}{};", result.map_or("", |(_, declared)| declared), statement.call));
    }
    Ok(BuiltRecord { c, inputs: teller.told })
}

/// The number of the call that builds in which the test failed, if it did not get to the entry.
fn failed_in(outcome: &OutcomeRecord) -> Option<u32> {
    let OutcomeRecord::Finding { stack, .. } = outcome else { return None };
    let prefix = format!("{MADE}call_");
    stack.iter().find_map(|frame| frame.function.strip_prefix(&prefix)?.parse().ok())
}

/// One call.
struct Statement {
    /// Variables for it.
    before: Vec<String>,
    /// The variable for what it gives back, and its declaration.
    result: Option<(String, String)>,
    call: String,
    /// Variables that it uses.
    uses: Vec<String>,
    /// Whether it is given a place where there is nothing, and its name does not say that it makes something.
    is_given_nothing: bool,
}

/// A variable.
#[derive(Clone)]
struct Variable {
    name: String,
    /// Whether it is the object, and not a pointer to it.
    is_object: bool,
}

struct Teller<'a> {
    api: &'a Api,
    slots: Slots,
    inputs: BTreeMap<&'a str, &'a InputRecord>,
    layout: &'a Layout,
    /// Names of the inputs that the calls tell.
    told: Vec<String>,
    /// What is in which place of a class.
    objects: BTreeMap<(usize, usize), Variable>,
}

impl Teller<'_> {
    fn input(&mut self, name: &str) -> Result<Input, Strange> {
        let record = self.inputs.get(name).ok_or_else(|| format!("no input `{name}`"))?;
        self.told.push(name.to_owned());
        record.input().ok_or_else(|| format!("no bytes of `{name}`"))
    }

    fn byte(&mut self, name: &str) -> Result<usize, Strange> {
        let input = self.input(name)?;
        input.bytes.first().map(|byte| usize::from(*byte)).ok_or_else(|| format!("no bytes of `{name}`"))
    }

    /// A call, by its number.
    fn statement(&mut self, function: &ApiFunction, of: &str, call: u32) -> Result<Statement, Strange> {
        let mut statement = Statement {
            before: Vec::new(),
            result: None,
            call: String::new(),
            uses: Vec::new(),
            is_given_nothing: false,
        };
        let mut arguments = Vec::new();
        for (at, param) in function.params.iter().enumerate() {
            let name = argument_input(of, param);
            arguments.push(self.argument(function, at, param, &name, call, &mut statement)?);
        }
        if let GivenBack::Object(class) | GivenBack::Value(class) = function.gives {
            let is_object = matches!(function.gives, GivenBack::Value(_));
            let variable = self.make(function, call, is_object, |slot| matches!(slot, OwnSlot::Result(_)));
            let ty = &self.api.classes[class].spelled;
            let declared = format!("{ty} {}{variable} = ", if is_object { "" } else { "*" });
            statement.result = Some((variable, declared));
        }
        statement.call = format!("{}({})", function.name, arguments.join(", "));
        Ok(statement)
    }

    /// The variable for something that a call makes.
    fn make(&mut self, function: &ApiFunction, call: u32, is_object: bool, way: impl Fn(&OwnSlot) -> bool) -> String {
        let Some((class, nth)) = nth_own(function, way) else { return String::new() };
        let spelled = &self.api.classes[class].spelled;
        let short = spelled.rsplit(' ').next().unwrap_or(spelled).to_lowercase();
        let more = if nth == 0 { String::new() } else { format!("_{}", nth + 1) };
        let name = format!("{short}{call}{more}");
        self.objects.insert((class, self.slots.own(class, call, nth)), Variable { name: name.clone(), is_object });
        name
    }

    fn argument(
        &mut self,
        function: &ApiFunction,
        at: usize,
        param: &ApiParameter,
        name: &str,
        call: u32,
        statement: &mut Statement,
    ) -> Result<String, Strange> {
        let makes = |way: OwnSlot| own_slots(function).contains(&way);
        match &param.passed {
            Passed::Number { .. } => Ok(in_c(&self.input(name)?, self.layout)),
            Passed::Named(names) => {
                let which = self.byte(name)?;
                names.get(which).map(|(name, _)| name.clone()).ok_or_else(|| format!("no such value of `{name}`"))
            }
            Passed::Text { read_only } => {
                let empty = self.byte(&length_input(name))? == 0;
                let bytes = if empty { Vec::new() } else { self.input(name)?.bytes };
                let text = quoted(&bytes);
                Ok(if *read_only { text } else { format!("(char[{ROOM}]){{{text}}}") })
            }
            Passed::Data { of, bytes } => {
                let input = self.input(name)?;
                let count = ROOM / (*bytes).max(1);
                let each = input.bytes.chunks(usize::try_from(*bytes).unwrap_or(1));
                let typed = |bytes: &[u8]| Input {
                    name: String::new(),
                    ty: InputType::Scalar(of.clone()),
                    bytes: bytes.to_vec(),
                };
                let each: Vec<String> = each.map(|bytes| in_c(&typed(bytes), self.layout)).collect();
                Ok(format!("({of}[{count}]){{{}}}", each.join(", ")))
            }
            Passed::Object { class, .. } => {
                let way = OwnSlot::New(at);
                match self.byte(name)? {
                    0 if makes(way) => {
                        let variable = self.make(function, call, true, |slot| *slot == way);
                        statement.before.push(format!("{} {variable} = {{0}};", self.api.classes[*class].spelled));
                        Ok(format!("&{variable}"))
                    }
                    slot => self.pointer(*class, slot - usize::from(makes(way)), statement),
                }
            }
            Passed::Value { class } => {
                let slot = self.byte(name)?;
                let pointer = self.pointer(*class, slot, statement)?;
                Ok(pointer.strip_prefix('&').map_or_else(|| format!("*{pointer}"), str::to_owned))
            }
            Passed::Place { class } => match self.byte(name)? {
                0 if makes(OwnSlot::Place(at)) => {
                    let variable = self.make(function, call, false, |slot| *slot == OwnSlot::Place(at));
                    statement.before.push(format!("{} *{variable} = 0;", self.api.classes[*class].spelled));
                    statement.is_given_nothing |= !function.is_maker;
                    Ok(format!("&{variable}"))
                }
                slot => {
                    let slot = slot.checked_sub(1).ok_or("no place")?;
                    let pointer = self.pointer(*class, slot, statement)?;
                    let spelled = &self.api.classes[*class].spelled;
                    let is_object = pointer.starts_with('&');
                    Ok(if is_object { format!("({spelled} *[]){{{pointer}}}") } else { format!("&{pointer}") })
                }
            },
        }
    }

    /// A pointer to the object in a place.
    fn pointer(&self, class: usize, slot: usize, statement: &mut Statement) -> Result<String, Strange> {
        let variable = self.objects.get(&(class, slot)).ok_or("an object that nothing has made")?;
        statement.uses.push(variable.name.clone());
        Ok(if variable.is_object { format!("&{}", variable.name) } else { variable.name.clone() })
    }
}

/// Text as C writes it.
fn quoted(bytes: &[u8]) -> String {
    let one = |&byte: &u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        // Three digits, so that none that follows is taken for one more.
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", bytes.iter().map(one).collect::<String>())
}
