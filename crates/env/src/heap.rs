//! The heap: `malloc` and its like; and `alloca`.

use std::rc::Rc;

use taw_engine::{Cx, Doubt, FindingKind, ModelArgument, ModelDef, ObjectKind, Region, Status, Stop, Value};

use crate::kernel::Kernel;

/// Rows of this header.
pub(super) const MODELS: &[ModelDef] = &[
    ModelDef::new("malloc", "m z!", |cx, args| make(cx, args[0].value, 16, HeapFill::Undefined)),
    ModelDef::new("valloc", "m z!", |cx, args| make(cx, args[0].value, 4096, HeapFill::Undefined)),
    ModelDef::new("calloc", "m zz!", calloc),
    ModelDef::new("realloc", "m xz!", realloc),
    ModelDef::new("reallocarray", "m xzz!", reallocarray),
    ModelDef::new("free", "v x", |cx, args| free(cx, args[0])),
    ModelDef::new("cfree", "v x", |cx, args| free(cx, args[0])),
    ModelDef::new("aligned_alloc", "m zz!", aligned_alloc),
    ModelDef::new("memalign", "m zz!", aligned_alloc),
    ModelDef::new("posix_memalign", "i wzz!", posix_memalign),
    ModelDef::new("malloc_usable_size", "z p", usable_size),
    ModelDef::new("alloca", "m z", alloca),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum HeapFill {
    Undefined,
    Zero,
}

fn make(cx: &mut Cx<'_, '_>, size: Value, align: u64, content: HeapFill) -> Result<Value, Stop> {
    let base = cx.allocate(Region::Heap, size, align, ObjectKind::Heap)?;
    if cx.state.memory.heap_bytes > cx.engine.config.max_heap {
        let message = format!("the program holds more than {} bytes of heap", cx.engine.config.max_heap);
        return Err(Stop::Bug(FindingKind::MemoryLimit, message));
    }
    let Some(base) = base else { return fail(cx, size) };
    let site = cx.site();
    cx.state.memory.object_mut(base).site = site;
    if content == HeapFill::Zero {
        let object = cx.state.memory.object_mut(base);
        let size = object.size as usize;
        object.write(0, &vec![0; size]);
    }
    Ok(Value::word(base))
}

/// A request that cannot be met. No machine could meet one beyond its address space; of others Taw sees one of two outcomes.
fn fail(cx: &mut Cx<'_, '_>, size: Value) -> Result<Value, Stop> {
    let space = if cx.engine.program.layout.pointer_bits == 64 { 1 << 47 } else { 1 << 31 };
    let size = match size.as_term() {
        None => size.as_word().unwrap_or_default(),
        Some(t) => cx.witness_word(t),
    };
    if size < space {
        let most = cx.engine.config.max_heap;
        cx.engine.doubts.insert(Doubt::HeapRefused(most));
        if let Some(kernel) = cx.state.surroundings.get_mut::<Kernel>() {
            Rc::make_mut(&mut kernel.start).questioned("malloc");
        }
    }
    set_errno(cx, ENOMEM)?;
    Ok(Value::word(0))
}

const ENOMEM: u64 = 12;
const EINVAL: u64 = 22;

fn set_errno(cx: &mut Cx<'_, '_>, number: u64) -> Result<(), Stop> {
    match cx.state.surroundings.get::<Kernel>().map_or(0, |kernel| kernel.errno) {
        0 => Ok(()),
        address => cx.store(Value::word(address), Value::word(number), 32),
    }
}

/// The product of two sizes, or all ones if it does not fit: no such block can be had.
fn product(cx: &mut Cx<'_, '_>, a: ModelArgument, b: ModelArgument) -> Value {
    let width = a.width;
    let (x, y) = (a.value.to_term(cx.terms(), width), b.value.to_term(cx.terms(), width));
    let terms = cx.terms();
    let (wide_x, wide_y) = (terms.zext(x, width * 2), terms.zext(y, width * 2));
    let exact = terms.mul(wide_x, wide_y);
    let high = terms.extract(exact, width, width);
    let low = terms.extract(exact, 0, width);
    let zero = terms.bv(width, 0);
    let fits = terms.eq(high, zero);
    let ones = terms.not(zero);
    let size = terms.ite(fits, low, ones);
    cx.value(size)
}

/// `void *calloc(size_t n, size_t size)`
fn calloc(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let size = product(cx, args[0], args[1]);
    make(cx, size, 16, HeapFill::Zero)
}

/// `void *aligned_alloc(size_t align, size_t size)`
fn aligned_alloc(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let align = cx.concretise(args[0].value, args[0].width);
    // As glibc: what is no power of two is made the next.
    make(cx, args[1].value, align.max(1), HeapFill::Undefined)
}

/// `int posix_memalign(void **result, size_t align, size_t size)`
fn posix_memalign(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let align = cx.concretise(args[1].value, args[1].width);
    if !align.is_power_of_two() || align < u64::from(cx.engine.program.layout.pointer_bits / 8) {
        return Ok(Value::word(EINVAL));
    }
    let base = make(cx, args[2].value, align, HeapFill::Undefined)?;
    if base == Value::word(0) {
        return Ok(Value::word(ENOMEM));
    }
    cx.store(args[0].value, base, args[0].width)?;
    Ok(Value::word(0))
}

/// `void *reallocarray(void *ptr, size_t n, size_t size)`
fn reallocarray(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let size = product(cx, args[1], args[2]);
    realloc(cx, &[args[0], ModelArgument { value: size, ..args[1] }])
}

/// `void *realloc(void *ptr, size_t size)`
fn realloc(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let old = block(cx, args[0])?;
    if old == 0 {
        return make(cx, args[1].value, 16, HeapFill::Undefined);
    }
    cx.touch_all(old)?;
    check_free(cx, old)?;
    cx.check_whole(old)?;
    // As glibc: a size of zero frees.
    let size = args[1].value.to_term(cx.terms(), args[1].width);
    let zero = cx.terms().bv(args[1].width, 0);
    let nothing = cx.terms().eq(size, zero);
    let nothing = cx.value(nothing);
    if cx.branch(nothing) {
        cx.state.memory.retire(old, Status::Freed);
        return Ok(Value::word(0));
    }
    let new = make(cx, args[1].value, 16, HeapFill::Undefined)?;
    let Some(base) = new.as_word().filter(|base| *base != 0) else { return Ok(new) };
    let room = cx.state.memory.object(base).map_or(0, |o| o.size);
    let from = cx.state.memory.object(old).cloned().expect("checked above");
    let len = from.size.min(room) as usize;
    cx.state.memory.object_mut(base).copy_from(&mut cx.engine.terms, 0, &from, 0, len);
    cx.state.memory.retire(old, Status::Freed);
    Ok(new)
}

/// The block that a pointer is: the witness's. Each other is a path; all that is none is one path, whose error follows.
fn block(cx: &mut Cx<'_, '_>, pointer: ModelArgument) -> Result<u64, Stop> {
    let pointer = ModelArgument { value: cx.settled_to_free(pointer.value)?, ..pointer };
    let Some(t) = pointer.value.as_term() else { return Ok(pointer.value.as_word().unwrap_or_default()) };
    let mut blocks = cx.blocks_of(pointer.value);
    blocks.push(0);
    if let Some(address) = cx.choose(t, &blocks) {
        return Ok(address);
    }
    let address = cx.witness_word(t);
    Ok(if check_free(cx, address).is_ok() { cx.concretise(pointer.value, pointer.width) } else { address })
}

fn free(cx: &mut Cx<'_, '_>, arg: ModelArgument) -> Result<Value, Stop> {
    let address = block(cx, arg)?;
    if address != 0 {
        cx.touch_all(address)?;
        check_free(cx, address)?;
        cx.state.memory.retire(address, Status::Freed);
    }
    Ok(Value::word(0))
}

/// Whether an address may be given to `free`.
fn check_free(cx: &Cx<'_, '_>, address: u64) -> Result<(), Stop> {
    let invalid = |message: String| Err(Stop::Bug(FindingKind::InvalidFree, message));
    let Some(object) = cx.state.memory.object(address) else {
        return invalid(format!("{address:#x} is not the address of any object"));
    };
    let name = cx.name_of(object);
    match object.kind {
        ObjectKind::Heap | ObjectKind::Unknown(_) if object.base != address => {
            invalid(format!("the pointer is {} bytes into {name}", address.wrapping_sub(object.base) as i64))
        }
        ObjectKind::Heap | ObjectKind::Unknown(_) if object.status == Status::Freed => {
            Err(Stop::Bug(FindingKind::DoubleFree, format!("{name} was freed before")))
        }
        // Whoever passes an object to be freed has it from the heap.
        ObjectKind::Heap | ObjectKind::Unknown(_) => Ok(()),
        _ => invalid(format!("{name} is not on the heap")),
    }
}

fn usable_size(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let address = cx.concretise(args[0].value, args[0].width);
    Ok(Value::word(cx.state.memory.object(address).map_or(0, |o| o.size)))
}

/// `void *alloca(size_t size)`, where it is declared so that the compiler does not take it for its own: memory of the calling function.
fn alloca(cx: &mut Cx<'_, '_>, args: &[ModelArgument]) -> Result<Value, Stop> {
    let kind = ObjectKind::Internal("a block of `alloca`");
    let Some(base) = cx.allocate(Region::Stack, args[0].value, 16, kind)? else {
        return Err(Stop::Bug(FindingKind::StackOverflow, "a local does not fit the stack".to_owned()));
    };
    cx.state.top.locals.push(base);
    Ok(Value::word(base))
}
