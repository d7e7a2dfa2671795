//! The program as it lies in memory: addresses of everything, constants resolved, functions bound to code or models.
//!
//! Made once per run; the same for all states.

use std::cell::OnceCell;
use std::collections::HashMap;

use taw_expr::{Bits, Marks, Terms};
use taw_ir::{
    BlockId, ConstData, ConstValue, Effect, EntityRef, FuncId, Function, GlobalId, Inst, Operand, Origin, Program,
    SecondaryMap, Symbol,
};

use crate::config::{Config, EngineError};
use crate::holds::HoldsTerms;
use crate::memory::{Memory, ObjectKind, Region};
use crate::model::{ModelDef, Models};
use crate::provenance::Provenances;
use crate::stub::Stub;
use crate::value::{Value, mask};

/// What happens when a function is called.
#[derive(Clone, Copy)]
pub enum Binding {
    /// Its code runs.
    Code,
    /// A model in Rust runs.
    Model(&'static ModelDef),
    /// A model made for this run, by its number in the configuration.
    Own(usize),
    /// Its first argument names a marker that is passed.
    Marker,
    /// The user says how it behaves, which is defined nowhere.
    Stub(Stub),
    /// Nobody knows.
    Undefined,
}

/// Resolved program.
pub struct Image {
    /// For each function what a call does.
    pub bindings: SecondaryMap<FuncId, Binding>,
    /// For each function what a call does to the flow of control, beside its code.
    pub effects: SecondaryMap<FuncId, Effect>,
    /// For each function its constants.
    pub consts: SecondaryMap<FuncId, Vec<Value>>,
    /// For each global its address.
    pub globals: SecondaryMap<GlobalId, u64>,
    /// Blocks whose address is taken.
    block_addresses: HashMap<(FuncId, BlockId), u64>,
    /// For each function how many instructions the functions before it have.
    before: SecondaryMap<FuncId, u64>,
    /// Functions whose address the program takes.
    pub taken: Vec<FuncId>,
    /// Memory with all globals in it.
    pub memory: Memory,
    /// The same for paths that start in the middle of the program, once there is one.
    pub opened: OnceCell<Memory>,
}

impl HoldsTerms for Image {
    fn mark(&self, marks: &mut Marks) {
        let Image {
            bindings: _,
            effects: _,
            consts,
            globals: _,
            block_addresses: _,
            before: _,
            taken: _,
            memory,
            opened,
        } = self;
        consts.values().for_each(|consts| consts.mark(marks));
        memory.mark(marks);
        if let Some(opened) = opened.get() {
            opened.mark(marks);
        }
    }
}

impl Image {
    /// Lays the program out.
    ///
    /// # Errors
    /// If it uses a global that is defined nowhere, or has one that is too large for the space of addresses.
    pub fn new(
        program: &Program,
        terms: &mut Terms,
        provenances: &mut Provenances,
        models: Models,
        config: &Config,
    ) -> Result<Self, EngineError> {
        let mut image = Image {
            bindings: SecondaryMap::with_default(Binding::Undefined),
            effects: SecondaryMap::new(),
            consts: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            block_addresses: HashMap::new(),
            before: SecondaryMap::new(),
            taken: taw_ir::functions_taken(program),
            memory: Memory::new(program.layout.pointer_bits),
            opened: OnceCell::new(),
        };
        let mut count = 0;
        for (id, function) in &program.functions {
            image.before[id] = count;
            count += function.code.len() as u64;
        }
        image.bind(program, models, config);
        image.place_blocks(program);
        image.place_globals(program)?;
        image.fill_globals(program, terms, provenances);
        for (id, function) in &program.functions {
            image.consts[id] =
                function.consts.values().map(|c| image.constant(program, terms, provenances, c)).collect();
            check_globals(program, function)?;
        }
        Ok(image)
    }

    /// The address of a block, if any is taken.
    pub fn address_of_block(&self, func: FuncId, block: BlockId) -> Option<u64> {
        self.block_addresses.get(&(func, block)).copied()
    }

    /// The address behind an instruction, where a call made by it returns to.
    pub fn address_after(&self, func: FuncId, pc: u32) -> u64 {
        self.memory.address_after(self.before[func] + u64::from(pc))
    }

    fn bind(&mut self, program: &Program, models: Models, config: &Config) {
        let who = Who::new(models, config);
        for (id, function) in &program.functions {
            let name = function.name.as_str();
            self.bindings[id] = who.answers(function);
            self.effects[id] = match self.bindings[id] {
                Binding::Code => models.code.iter().find(|row| row.0 == name).map_or(Effect::Returns, |row| row.1),
                Binding::Model(model) => model.effect,
                Binding::Stub(Stub::Never) => Effect::Ends,
                Binding::Stub(Stub::Return | Stub::Havoc) if function.noreturn => Effect::Exits,
                // After an error, nobody knows what a program does.
                Binding::Own(_) | Binding::Marker | Binding::Stub(_) => Effect::Returns,
                // A path ends there; what code that nobody knows would do next is not known either.
                Binding::Undefined => Effect::Anything,
            };
        }
    }

    /// Gives each block whose address is taken an address.
    fn place_blocks(&mut self, program: &Program) {
        let constants = program.functions.values().flat_map(|f| f.consts.values()).map(|c| &c.value);
        let relocations = program.globals.values().filter_map(|g| g.init.as_ref()).flat_map(|i| &i.relocations);
        for value in constants.chain(relocations.map(|r| &r.value)) {
            self.place_blocks_of(value);
        }
    }

    fn place_blocks_of(&mut self, value: &ConstValue) {
        match value {
            &ConstValue::Address(Symbol::Block(f, b), _) => {
                let next = self.block_addresses.len();
                let address = self.memory.block_address(next);
                self.block_addresses.entry((f, b)).or_insert(address);
            }
            ConstValue::Add(a, b) | ConstValue::Sub(a, b) => {
                self.place_blocks_of(a);
                self.place_blocks_of(b);
            }
            ConstValue::Address(..) | ConstValue::Bits(_) | ConstValue::Undef => {}
        }
    }

    fn place_globals(&mut self, program: &Program) -> Result<(), EngineError> {
        for (id, global) in &program.globals {
            let base = self.memory.allocate(Region::Heap, global.size, global.align.max(1), ObjectKind::Global(id), 0);
            let no_room = || EngineError::NoRoom { name: global.name.clone(), size: global.size };
            self.globals[id] = base.ok_or_else(no_room)?;
            self.memory.object_mut(self.globals[id]).element = global.element.max(1);
        }
        Ok(())
    }

    fn fill_globals(&mut self, program: &Program, terms: &mut Terms, provenances: &mut Provenances) {
        for (id, global) in &program.globals {
            let base = self.globals[id];
            let Some(init) = global.init.as_ref().filter(|_| base != 0) else { continue };
            let values: Vec<_> = init.relocations.iter().map(|r| (r, self.address(provenances, &r.value))).collect();
            let object = self.memory.object_mut(base);
            object.write(0, &init.bytes);
            for (relocation, value) in values {
                let width = relocation.bytes * 8;
                object.store(terms, relocation.offset as usize, value, width, program.layout.big_endian);
            }
            object.constant = global.constant;
        }
    }

    fn constant(&self, program: &Program, terms: &mut Terms, provenances: &mut Provenances, data: &ConstData) -> Value {
        let width = data.ty.bits(&program.layout);
        match &data.value {
            ConstValue::Bits(words) => Value::of_bits(terms, &Bits::from_words(width, words)),
            ConstValue::Undef if width > 64 => Value::of_bits(terms, &Bits::new(width, 0)),
            value @ ConstValue::Address(..) if width == self.memory.pointer_bits() => self.address(provenances, value),
            value => Value::word(self.number(value) & mask(width)),
        }
    }

    /// A constant that may be an address. Its provenance is its symbol even where its number is not in it.
    fn address(&self, provenances: &mut Provenances, value: &ConstValue) -> Value {
        let word = Value::word(self.number(value) & mask(self.memory.pointer_bits()));
        match *value {
            ConstValue::Address(Symbol::Global(g), _) if self.globals[g] != 0 => {
                let number = word.as_word().unwrap_or_default();
                word.with_provenance(provenances.of_address(&self.memory, self.globals[g], number))
            }
            _ => word,
        }
    }

    /// The value of a constant, as far as it fits a word.
    fn number(&self, value: &ConstValue) -> u64 {
        match value {
            ConstValue::Bits(words) => words.first().copied().unwrap_or(0),
            ConstValue::Undef => 0,
            ConstValue::Address(symbol, addend) => {
                let base = match *symbol {
                    Symbol::Function(f) => self.memory.function_address(f.index()),
                    Symbol::Global(g) => self.globals[g],
                    Symbol::Block(f, b) => self.block_addresses[&(f, b)],
                };
                base.wrapping_add_signed(*addend)
            }
            ConstValue::Add(a, b) => self.number(a).wrapping_add(self.number(b)),
            ConstValue::Sub(a, b) => self.number(a).wrapping_sub(self.number(b)),
        }
    }
}

/// Who answers calls, by the tables that say so.
struct Who<'c> {
    config: &'c Config,
    always: HashMap<&'static str, &'static ModelDef>,
    stand_ins: HashMap<&'static str, &'static ModelDef>,
}

impl<'c> Who<'c> {
    fn new(models: Models, config: &'c Config) -> Self {
        let table =
            |rows: &'static [&'static [ModelDef]]| rows.iter().copied().flatten().map(|m| (m.name, m)).collect();
        Who { config, always: table(models.always), stand_ins: table(models.stand_ins) }
    }

    /// A model made for this run, else the user's own definition, else a model, else the library's definition, else what the user says of it, else
    /// a stand-in for it.
    fn answers(&self, function: &Function) -> Binding {
        let name = function.name.as_str();
        let users = function.is_defined() && function.origin == Origin::User;
        if let Some(at) = self.config.own_models.iter().position(|own| own.name() == name) {
            Binding::Own(at)
        } else if self.config.markers.contains(&function.name) {
            Binding::Marker
        } else if users {
            Binding::Code
        } else if let Some(&model) = self.always.get(name) {
            Binding::Model(model)
        } else if function.is_defined() {
            Binding::Code
        } else if let Some(&stub) = self.config.stubs.get(name) {
            Binding::Stub(stub)
        } else {
            self.stand_ins.get(name).map_or(Binding::Undefined, |&model| Binding::Model(model))
        }
    }
}

/// Functions that a program declares, and that neither it nor Taw defines or has a model of.
pub fn undefined(program: &Program, models: Models, config: &Config) -> Vec<FuncId> {
    let who = Who::new(models, config);
    let is_undefined = |function: &Function| matches!(who.answers(function), Binding::Undefined);
    program.functions.iter().filter(|(_, function)| is_undefined(function)).map(|(id, _)| id).collect()
}

/// A global without a definition may be named, but not read or written.
fn check_globals(program: &Program, function: &Function) -> Result<(), EngineError> {
    let undefined = |op: Operand| match function.consts[op.as_const()?].value {
        ConstValue::Address(Symbol::Global(g), _) if program.globals[g].init.is_none() => Some(g),
        _ => None,
    };
    for inst in &function.code {
        if let Inst::Load { ptr, .. } | Inst::Store { ptr, .. } = *inst
            && let Some(g) = undefined(ptr)
        {
            return Err(EngineError::UndefinedGlobal { name: program.globals[g].name.clone() });
        }
    }
    Ok(())
}
