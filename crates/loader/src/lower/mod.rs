//! From an LLVM module to a program.
//!
//! First every function and global gets its number, then contents follow: so each may refer to each. One file per
//! subject: `types` splits types, `constants` and `globals` evaluate, `body` builds a function out of the instructions that
//! `scalar`, `memory`, `vector`, `control`, `calls` and the files of `intrinsics` lower, `debug` reads source places, `names` names and `source` types.

mod asm;
mod body;
mod calls;
mod cast;
mod constants;
mod control;
mod debug;
mod function;
mod globals;
mod intrinsics;
mod masked;
mod memory;
mod moves;
mod names;
mod scalar;
mod source;
mod types;
mod vector;

use std::collections::{BTreeSet, HashMap, HashSet};

use taw_ir::{BlockId, EntityRef, FuncId, Function, GlobalId, Origin, Program, TypeId};

use crate::LoadError;
use crate::link::Linked;
use crate::llvm::{AttributeKinds, DataLayout, DebugNode, LlvmBlock, LlvmValue, Module};

pub use intrinsics::library_name;

/// What lowering a module needs everywhere.
struct Lower<'m> {
    layout: DataLayout<'m>,
    kinds: AttributeKinds,
    types: types::Shapes<'m>,
    debug: debug::Debug<'m>,
    sources: source::SourceTypes<'m>,
    functions: HashMap<LlvmValue<'m>, FuncId>,
    globals: HashMap<LlvmValue<'m>, GlobalId>,
    /// Blocks whose address is taken, of the functions in `numbered`.
    block_ids: HashMap<LlvmBlock<'m>, BlockId>,
    numbered: HashSet<LlvmValue<'m>>,
    /// Whether comparisons that become numbers are conditions.
    values: bool,
    program: Program,
}

/// Lowers a whole module.
pub fn program(linked: &Linked<'_>, values: bool) -> Result<Program, LoadError> {
    let module = &linked.module;
    let layout = module.layout();
    let mut lower = Lower {
        layout,
        kinds: AttributeKinds::new(),
        types: types::Shapes::new(layout),
        debug: debug::Debug::default(),
        sources: source::SourceTypes::default(),
        functions: HashMap::new(),
        globals: HashMap::new(),
        block_ids: HashMap::new(),
        numbered: HashSet::new(),
        values,
        program: Program::default(),
    };
    lower.program.layout = taw_ir::Layout {
        pointer_bits: layout.pointer_bits(),
        big_endian: layout.big_endian(),
        triple: module.triple(),
    };
    if !matches!(layout.pointer_bits(), 32 | 64) {
        return Err(LoadError::Target { triple: module.triple(), bits: layout.pointer_bits() });
    }
    lower.declare_functions(module, &linked.user);
    lower.declare_globals(module, &linked.user);
    lower.name_aliases(module);
    lower.define_globals(module)?;
    lower.define_functions(module);
    source::finish(&mut lower.program);
    Ok(lower.program)
}

impl<'m> Lower<'m> {
    fn declare_functions(&mut self, module: &'m Module<'_>, user: &BTreeSet<String>) {
        for f in module.functions().filter(|f| f.intrinsic().is_none()) {
            let mut function = self.signature(f);
            function.origin = origin(f, &function.name, user);
            self.add_function(f, function);
        }
        for f in module.ifuncs() {
            let function = function::unsupported(f.name(), "ifunc (chosen when the program is loaded)");
            self.add_function(f, function);
        }
    }

    fn add_function(&mut self, value: LlvmValue<'m>, function: Function) {
        let name = function.name.clone();
        let id = self.program.functions.push(function);
        self.functions.insert(value, id);
        if !name.is_empty() {
            self.program.names.insert(name, id);
        }
    }

    /// Bodies, after everything has a number.
    fn define_functions(&mut self, module: &'m Module<'_>) {
        for f in module.functions().filter(|f| !f.is_declaration()) {
            let id = self.functions[&f];
            let signature = self.program.functions[id].clone();
            let body = body::FunctionBody::new(self, signature).lower(f);
            self.program.functions[id] = body;
        }
    }

    /// The number of a type of the source; nothing where none is known.
    fn source_type(&mut self, node: Option<DebugNode<'m>>) -> Option<TypeId> {
        node.map(|node| self.sources.of(&mut self.program, Some(node)))
    }

    /// The function with a name, declared with the signature that a call sees if there is none.
    fn function_named(&mut self, name: &str, declare: impl FnOnce() -> Function) -> FuncId {
        match self.program.names.get(name) {
            Some(&id) => id,
            None => {
                let id = self.program.functions.push(declare());
                self.program.names.insert(name.to_string(), id);
                id
            }
        }
    }

    /// The number of a block: its place in the function.
    fn block_id(&mut self, function: LlvmValue<'m>, block: LlvmBlock<'m>) -> BlockId {
        if self.numbered.insert(function) {
            self.block_ids.extend(function.blocks().enumerate().map(|(i, b)| (b, BlockId::new(i))));
        }
        self.block_ids[&block]
    }
}

/// Declarations are the user's: it is their call that is missing a function.
fn origin(value: LlvmValue<'_>, name: &str, user: &BTreeSet<String>) -> Origin {
    if value.is_declaration() || user.contains(name) { Origin::User } else { Origin::Library }
}
