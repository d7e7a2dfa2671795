//! The drivers as C: for each entry one function without parameters for each number of calls, all of them inputs of the test.
//!
//! Boundary: text only. `told.rs` reads the inputs that it asks for, by the names that are made here; what both must agree on is in `Slots`
//! and in the functions below that name inputs.

use std::fmt::Write as _;

use taw_engine::UnknownShapes;

use super::api::{Api, ApiClass, ApiFunction, ApiParameter, GivenBack, LengthOf, Passed};
use super::status::Success;
use super::{MADE, name_of};

/// Bytes of a row of numbers and of a text that may be written: enough for whoever writes into it.
pub(super) const ROOM: u64 = 4096;
/// Most characters of a text and elements of a row: their number is chosen by a byte.
const LONGEST: u64 = 200;

/// Where objects are kept: each call has some places of each class.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// Places of each class for each call.
    pub per_call: Vec<usize>,
}

impl Slots {
    pub(super) fn of(api: &Api) -> Self {
        Slots { per_call: api.makes_at_most() }
    }

    /// The place of the `nth` object of a class that call number `call` makes, from 1.
    pub(super) fn own(&self, class: usize, call: u32, nth: usize) -> usize {
        (call as usize - 1) * self.per_call[class] + nth
    }

    /// How many places there are before a call.
    fn before(&self, class: usize, call: u32) -> usize {
        self.own(class, call, 0)
    }
}

/// The most that is tried of texts.
pub(super) fn longest_text(shapes: &UnknownShapes) -> u64 {
    shapes.string.min(LONGEST)
}

/// How many elements of a row are unknown.
pub(super) fn row_of(bytes: u64, shapes: &UnknownShapes) -> u64 {
    let elements = if bytes == 1 { shapes.string } else { shapes.array };
    elements.clamp(1, LONGEST).min(ROOM / bytes.max(1))
}

/// How the input is called that says what call number `call` is of.
pub(super) fn call_input(call: u32) -> String {
    format!("call{call}")
}

/// What inputs of the call of an entry begin with.
pub(super) fn entry_input(entry: &str) -> String {
    entry.to_owned()
}

/// How the input for a parameter is called.
pub(super) fn argument_input(of: &str, param: &ApiParameter) -> String {
    format!("{of}.{}", param.name)
}

/// How the input for the length of a text is called.
pub(super) fn length_input(argument: &str) -> String {
    format!("{argument}.length")
}

const HELPERS: &str = include_str!("helpers.c");

/// An entry, with the conditions under which it may be called: functions that take what it takes.
pub(super) type Conditioned = (Vec<String>, ApiFunction);

/// All drivers of one file.
pub(super) fn text(api: &Api, entries: &[Conditioned], calls: u32, shapes: &UnknownShapes) -> String {
    let writer = DriverWriter { api, entries, slots: Slots::of(api), shapes };
    let mut text = format!(
        "#pragma clang diagnostic push\n#pragma clang diagnostic ignored \"-Weverything\"\n#line 1 \"--build-with\"\n{HELPERS}"
    );
    text += "struct taw_build_pool {\n  int unused;\n";
    // What entries make is used by nobody.
    let of_entries = entries.iter().map(|(_, entry)| entry.makes().len()).max().unwrap_or(0);
    for (class, per_call) in writer.slots.per_call.iter().enumerate() {
        let _ = writeln!(text, "  taw_build_pointer of{class}[{}];", per_call * calls as usize + of_entries.max(1));
    }
    text += "};\n";
    for function in api.functions.iter().filter(|function| !function.here) {
        text += &writer.elsewhere(function);
    }
    for call in 1..=calls {
        text += &writer.call(call);
    }
    for (_, entry) in entries {
        text += &writer.entry(entry, calls);
        for number in 0..=calls {
            let name = name_of(&entry.name, number);
            let _ = writeln!(
                text,
                "void {name}(void);\nTAW_BUILD_OWN void {name}(void) {{\n  struct taw_build_pool taw_pool = {{0}};"
            );
            for call in 1..=number {
                let _ = writeln!(text, "  {MADE}call_{call}(&taw_pool);");
            }
            let _ = writeln!(text, "  {MADE}start_{}(&taw_pool);\n}}", entry.name);
        }
    }
    text + "#pragma clang diagnostic pop\n"
}

struct DriverWriter<'a> {
    api: &'a Api,
    entries: &'a [Conditioned],
    slots: Slots,
    shapes: &'a UnknownShapes,
}

impl DriverWriter<'_> {
    /// A function of another file, whose types need not be known here.
    fn elsewhere(&self, function: &ApiFunction) -> String {
        let ty = |param: &ApiParameter| match &param.passed {
            Passed::Number { maker, .. } => made_type(maker).to_owned(),
            Passed::Named(_) => "int".to_owned(),
            _ => "void *".to_owned(),
        };
        let list: Vec<String> = function.params.iter().map(ty).collect();
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        let gives = match (function.gives, function.success) {
            (GivenBack::Object(_), _) => "void *",
            (_, Success::True) => "_Bool",
            (_, Success::NotNegative) => "int",
            _ => "void",
        };
        format!("{gives} {MADE}to_{name}({list}) __asm__(\"{name}\");\n", name = function.name)
    }

    /// One call of some function.
    fn call(&self, call: u32) -> String {
        let of = call_input(call);
        let count = self.api.functions.len();
        let mut text = format!(
            "TAW_BUILD_OWN static void {MADE}call_{call}(struct taw_build_pool *taw_pool) {{\n  switch (taw_build_choice({count}, \"{of}\")) {{\n"
        );
        for (number, function) in self.api.functions.iter().enumerate() {
            let _ = writeln!(text, "  case {number}: {{");
            text += &self.arguments(function, &of, call);
            text += &self.outcome(function, call);
            text += "    break;\n  }\n";
        }
        text + "  }\n}\n"
    }

    /// The call of an entry, with what was made before.
    fn entry(&self, entry: &ApiFunction, calls: u32) -> String {
        let of = entry_input(&entry.name);
        let mut text =
            format!("TAW_BUILD_OWN static void {MADE}start_{}(struct taw_build_pool *taw_pool) {{\n", entry.name);
        text += &self.arguments(entry, &of, calls + 1);
        let _ = writeln!(text, "    ({})({});\n}}", entry.name, listed(self.api, entry));
        text
    }

    /// Variables for the arguments.
    fn arguments(&self, function: &ApiFunction, of: &str, call: u32) -> String {
        let mut text = format!("    __SIZE_TYPE__ taw_room = {ROOM};\n");
        for (at, param) in function.params.iter().enumerate() {
            let name = argument_input(of, param);
            let slots = |class: usize| format!("taw_pool->of{class}, {}", self.slots.before(class, call));
            let _ = match &param.passed {
                Passed::Number { maker, .. } => {
                    writeln!(text, "    {} taw_a{at} = {maker}(\"{name}\");", made_type(maker))
                }
                Passed::Named(names) => {
                    let values: Vec<String> = names.iter().map(|(_, value)| value.to_string()).collect();
                    let (count, values) = (names.len(), values.join(", "));
                    writeln!(text, "    int taw_a{at} = (int[]){{{values}}}[taw_build_choice({count}, \"{name}\")];")
                }
                Passed::Text { read_only } => {
                    let (longest, length) = (longest_text(self.shapes), length_input(&name));
                    let roomy = u8::from(!read_only);
                    writeln!(
                        text,
                        "    char *taw_a{at} = taw_build_text({longest}, {roomy}, \"{length}\", \"{name}\", &taw_room);"
                    )
                }
                Passed::Data { bytes, .. } => {
                    let count = row_of(*bytes, self.shapes);
                    writeln!(text, "    void *taw_a{at} = taw_build_row({count}, {bytes}, \"{name}\", &taw_room);")
                }
                Passed::Object { class, .. } if function.initialises == Some(at) => {
                    let (slots, bytes) = (slots(*class), self.api.classes[*class].bytes.unwrap_or(1));
                    writeln!(
                        text,
                        "    int taw_new = 0;\n    void *taw_a{at} = taw_build_object({slots}, {bytes}, &taw_new, \"{name}\");"
                    )
                }
                Passed::Object { class, .. } | Passed::Value { class } => {
                    writeln!(text, "    void *taw_a{at} = taw_build_pick({}, \"{name}\");", slots(*class))
                }
                Passed::Place { class } => {
                    let own = match function.fills {
                        true => format!("&taw_pool->of{class}[{}]", self.own(function, call, at)),
                        false => "0".to_owned(),
                    };
                    writeln!(text, "    void *taw_a{at} = taw_build_place({}, {own}, \"{name}\");", slots(*class))
                }
            };
        }
        for (at, param) in function.params.iter().enumerate() {
            let most = match param.length {
                None => continue,
                Some(LengthOf::Row) => "taw_room",
                Some(LengthOf::Place) => "1",
            };
            let _ = writeln!(text, "    taw_assume(taw_a{at} >= 0 && (unsigned long long)taw_a{at} <= {most});");
        }
        let conditions = self.entries.iter().filter(|(_, entry)| entry.name == function.name);
        for condition in conditions.flat_map(|(conditions, _)| conditions) {
            let _ = writeln!(text, "    taw_assume({condition}({}) != 0);", listed(self.api, function));
        }
        text
    }

    /// The place of what is made by way of a parameter.
    fn own(&self, function: &ApiFunction, call: u32, at: usize) -> usize {
        let of_parameter = |slot: &OwnSlot| matches!(slot, OwnSlot::New(own) | OwnSlot::Place(own) if *own == at);
        let (class, nth) = nth_own(function, of_parameter).expect("it makes something");
        self.slots.own(class, call, nth)
    }

    /// The call that builds, and what is kept of what it makes.
    fn outcome(&self, function: &ApiFunction, call: u32) -> String {
        let list = listed(self.api, function);
        // In brackets, because a macro may have the same name.
        let name = if function.here { format!("({})", function.name) } else { format!("{MADE}to_{}", function.name) };
        let mut text = String::new();
        let success = match (function.success, function.gives) {
            (Success::True, _) => "taw_result != 0",
            (Success::NotNegative, _) => "taw_result >= 0",
            _ => "1",
        };
        let _ = match function.gives {
            GivenBack::Value(class) => {
                let ty = &self.api.classes[class].spelled;
                writeln!(
                    text,
                    "    {ty} *taw_result = __builtin_calloc(1, sizeof *taw_result);\n    *taw_result = {name}({list});"
                )
            }
            GivenBack::Object(_) => writeln!(text, "    void *taw_result = (void *){name}({list});"),
            GivenBack::Nothing if success != "1" => {
                writeln!(text, "    __typeof__({name}({list})) taw_result = {name}({list});")
            }
            GivenBack::Nothing => writeln!(text, "    {name}({list});"),
        };
        for slot in own_slots(function) {
            let _ = match slot {
                OwnSlot::Result(class) => {
                    let (_, nth) = nth_own(function, |slot| matches!(slot, OwnSlot::Result(_))).expect("it is there");
                    writeln!(text, "    taw_pool->of{class}[{}] = taw_result;", self.slots.own(class, call, nth))
                }
                OwnSlot::New(at) => {
                    let class = class_of(&function.params[at]);
                    let own = self.own(function, call, at);
                    let count = self.slots.before(class, call);
                    let _ = writeln!(text, "    if (taw_new && {success}) taw_pool->of{class}[{own}] = taw_a{at};");
                    writeln!(text, "    if (!({success})) taw_build_forget(taw_pool->of{class}, {count}, taw_a{at});")
                }
                OwnSlot::Place(at) => {
                    let class = class_of(&function.params[at]);
                    // What is where there was nothing before was made.
                    let unclear = format!("taw_a{at} == &taw_pool->of{class}[{}]", self.own(function, call, at));
                    let success = if function.success == Success::Unclear { &unclear } else { success };
                    writeln!(text, "    if (!({success})) *(taw_build_pointer *)taw_a{at} = 0;")
                }
            };
        }
        for (at, param) in function.params.iter().enumerate().filter(|_| function.ends) {
            let ended = match &param.passed {
                Passed::Object { .. } => format!("taw_a{at}"),
                Passed::Place { .. } => format!("*(taw_build_pointer *)taw_a{at}"),
                _ => continue,
            };
            let class = class_of(param);
            let count = self.slots.before(class, call);
            let _ = writeln!(text, "    taw_build_forget(taw_pool->of{class}, {count}, taw_before{at});");
            text.insert_str(0, &format!("    void *taw_before{at} = {ended};\n"));
        }
        text
    }
}

/// By what a call makes an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OwnSlot {
    /// It gives it back; the class.
    Result(usize),
    /// A parameter, which was an object that nobody had used.
    New(usize),
    /// A parameter, which is where the pointer goes.
    Place(usize),
}

/// What a call may make, in the order of [`ApiFunction::makes`].
pub(super) fn own_slots(function: &ApiFunction) -> Vec<OwnSlot> {
    let given = match function.gives {
        GivenBack::Nothing => None,
        GivenBack::Object(class) | GivenBack::Value(class) => Some(OwnSlot::Result(class)),
    };
    let places = function.params.iter().enumerate().filter(|(_, param)| matches!(param.passed, Passed::Place { .. }));
    let places = places.filter(|_| function.fills).map(|(at, _)| OwnSlot::Place(at));
    given.into_iter().chain(function.initialises.map(OwnSlot::New)).chain(places).collect()
}

/// The class of what is made in a way, and which of that class it is.
pub(super) fn nth_own(function: &ApiFunction, way: impl Fn(&OwnSlot) -> bool) -> Option<(usize, usize)> {
    let (slots, classes) = (own_slots(function), function.makes());
    let at = slots.iter().position(way)?;
    Some((classes[at], classes[..at].iter().filter(|class| **class == classes[at]).count()))
}

fn class_of(param: &ApiParameter) -> usize {
    match param.passed {
        Passed::Object { class, .. } | Passed::Value { class } | Passed::Place { class } => class,
        _ => unreachable!("only objects have a class"),
    }
}

/// The arguments as they are passed.
fn listed(api: &Api, function: &ApiFunction) -> String {
    let one = |(at, param): (usize, &ApiParameter)| match param.passed {
        Passed::Value { class } => {
            let ApiClass { spelled, .. } = &api.classes[class];
            format!("*({spelled} *)taw_a{at}")
        }
        _ => format!("taw_a{at}"),
    };
    function.params.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
}

/// The type of what a function of `taw.h` makes.
fn made_type(maker: &str) -> &'static str {
    match maker {
        "taw_i8" => "__INT8_TYPE__",
        "taw_u8" => "__UINT8_TYPE__",
        "taw_i16" => "__INT16_TYPE__",
        "taw_u16" => "__UINT16_TYPE__",
        "taw_i32" | "taw_bool" => "__INT32_TYPE__",
        "taw_u32" => "__UINT32_TYPE__",
        "taw_i64" => "__INT64_TYPE__",
        "taw_u64" => "__UINT64_TYPE__",
        "taw_float" => "float",
        "taw_double" => "double",
        _ => "long double",
    }
}
