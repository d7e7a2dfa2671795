//! Distances, pinned by numbers on programs small enough to count by hand.

use taw_ir::{CallGraph, Conduct, Distances, Effect, FuncId, Inst, Program, Site, read_program};

const HEAD: &str = "target \"x86_64-unknown-linux-gnu\" 64 bits little\n";

struct World {
    program: Program,
    graph: CallGraph,
}

/// Functions as a C library has them.
fn conduct(program: &Program, func: FuncId) -> Conduct {
    let function = &program.functions[func];
    let effect = match function.name.as_str() {
        "exit" => Effect::Exits,
        "atexit" => Effect::KeepsForExit,
        "signal" => Effect::KeepsForSignals,
        "setjmp" => Effect::Lands,
        "longjmp" => Effect::Jumps,
        "qsort" => Effect::CallsBack,
        "nobody" => Effect::Anything,
        _ => Effect::Returns,
    };
    Conduct { runs_code: function.is_defined(), effect }
}

impl World {
    fn new(text: &str) -> Self {
        let program = read_program(&format!("{HEAD}{text}")).expect("the test's program is well written");
        taw_ir::verify(&program).expect("and sensible");
        let graph = CallGraph::with_conduct(&program, &|func| conduct(&program, func));
        World { program, graph }
    }

    fn func(&self, name: &str) -> FuncId {
        self.program.function_named(name).expect(name)
    }

    fn site(&self, name: &str, pc: u32) -> Site {
        Site { func: self.func(name), pc }
    }

    fn to(&self, targets: &[(&str, u32)]) -> Distances {
        let sites: Vec<Site> = targets.iter().map(|&(name, pc)| self.site(name, pc)).collect();
        Distances::to(&self.program, &self.graph, &sites)
    }

    fn stack(&self, distances: &Distances, stack: &[(&str, u32)]) -> Option<u64> {
        distances.from_stack(stack.iter().map(|&(name, pc)| self.site(name, pc)))
    }
}

/// A diamond: 0 branches to 1..=4 (three more, then the end) or 5 (one, then the end); 6 returns.
const DIAMOND: &str = r#"
func @main(v0: i1) {
b0:
    br v0, b1, b2
b1:
    v1: i32 = copy i32 1
    v1: i32 = copy i32 2
    v1: i32 = copy i32 3
    br b3
b2:
    br b3
b3:
    ret
}
"#;

#[test]
fn within_a_function_every_instruction_is_one() {
    let world = World::new(DIAMOND);
    let distances = world.to(&[("main", 6)]);
    let from = |pc| distances.from_site(world.site("main", pc));
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(from), [2, 4, 3, 2, 1, 1, 0].map(Some));
    let distances = world.to(&[("main", 3)]);
    let from = |pc| distances.from_site(world.site("main", pc));
    assert_eq!([0, 1, 2, 3].map(from), [3, 2, 1, 0].map(Some));
    assert_eq!([4, 5, 6].map(from), [None; 3], "nothing leads back");
}

#[test]
fn the_nearest_of_several_targets_counts_until_it_is_taken_away() {
    let world = World::new(DIAMOND);
    let mut distances = world.to(&[("main", 2), ("main", 5)]);
    assert_eq!(distances.from_site(world.site("main", 0)), Some(1));
    distances.remove(&world.program, &world.graph, &[world.site("main", 5)]);
    assert_eq!(distances.from_site(world.site("main", 0)), Some(2));
    assert_eq!(distances.from_site(world.site("main", 5)), None);
    distances.remove(&world.program, &world.graph, &[world.site("main", 2)]);
    assert_eq!(distances.from_site(world.site("main", 0)), None);
}

/// The program of the dissertation's figure 3.2a: main calls foo twice; what is to be reached is in foo, or after a call.
const TWICE: &str = r#"
func @main() {
b0:
    v0: i32 = copy i32 0
    call @foo()
    v0: i32 = copy i32 1
    call @foo()
    v0: i32 = copy i32 2
    ret
}

func @foo() {
b0:
    v0: i32 = copy i32 0
    v0: i32 = copy i32 1
    ret
}
"#;

#[test]
fn a_call_is_run_through_or_entered_whichever_is_shorter() {
    let world = World::new(TWICE);
    // To after the first call: copy, call, two copies to the ret of foo (2 edges), back.
    // call = 1 + to_return(foo) [2] + 0.
    let distances = world.to(&[("main", 2)]);
    assert_eq!(distances.from_site(world.site("main", 1)), Some(3));
    assert_eq!(distances.from_site(world.site("main", 0)), Some(4));
    // Into foo: call = 1 + 1.
    let distances = world.to(&[("foo", 1)]);
    assert_eq!(distances.from_site(world.site("main", 1)), Some(2));
    assert_eq!(distances.from_site(world.site("main", 2)), Some(3), "by the second call");
    assert_eq!(distances.from_site(world.site("main", 4)), None);
    // Without entering callees, only main itself counts.
    assert_eq!(distances.intra(world.site("main", 1)), None);
    assert_eq!(distances.intra(world.site("foo", 0)), Some(1));
}

#[test]
fn the_stack_decides_where_a_return_goes() {
    let world = World::new(TWICE);
    let distances = world.to(&[("foo", 1)]);
    // In foo past the place, called first: ret, copy, call, copy, place. 1 + 0 + d(main 2) = 1 + 3.
    assert_eq!(world.stack(&distances, &[("foo", 2), ("main", 1)]), Some(4));
    assert_eq!(world.stack(&distances, &[("foo", 0), ("main", 1)]), Some(1));
    // Called the second time there is no way: calls and returns must match.
    assert_eq!(world.stack(&distances, &[("foo", 2), ("main", 3)]), None);
    assert_eq!(distances.from_site(world.site("foo", 2)), None);
}

#[test]
fn without_entering_callees_a_state_can_still_return() {
    let world = World::new(TWICE);
    let distances = world.to(&[("main", 4)]);
    let intra = |stack: &[(&str, u32)]| distances.intra_from_stack(stack.iter().map(|&(f, pc)| world.site(f, pc)));
    // foo 0: two to ret, one back, then copy and call (1 + 2 through foo) to 4.
    assert_eq!(intra(&[("foo", 0), ("main", 1)]), Some(2 + 1 + 1 + 3));
    assert_eq!(intra(&[("foo", 0), ("main", 3)]), Some(2 + 1));
    assert_eq!(distances.intra(world.site("foo", 0)), None);
}

#[test]
fn recursion_ends_where_it_ends() {
    let world = World::new(
        r#"
func @main() {
b0:
    call @down(i1 1)
    ret
}

func @down(v0: i1) {
b0:
    br v0, b1, b2
b1:
    call @down(i1 0)
    br b2
b2:
    ret
}

func @forever() {
b0:
    call @forever()
    ret
}
"#,
    );
    let distances = world.to(&[("main", 1)]);
    assert_eq!(distances.from_site(world.site("main", 0)), Some(2), "call, br, ret is 1 + 1");
    // Two calls deep, at the inner branch: br, back, br, ret, back: 1 + 1 + 1 + 1.
    assert_eq!(world.stack(&distances, &[("down", 0), ("down", 1), ("main", 0)]), Some(1 + 1 + 1 + 1));
    let distances = world.to(&[("forever", 1)]);
    assert_eq!(distances.from_site(world.site("forever", 0)), None, "a recursion without a base never returns");
}

#[test]
fn nothing_comes_after_a_call_that_never_returns() {
    let world = World::new(
        r#"
declare @abort() noreturn

declare @puts(v0: ptr) -> i32

func @die() noreturn {
b0:
    call @abort()
    unreachable
}

func @main(v0: i1) {
b0:
    br v0, b1, b2
b1:
    call @die()
    br b2
b2:
    v1: i32 = call @puts(ptr 0) -> i32
    ret
}
"#,
    );
    let distances = world.to(&[("main", 4)]);
    assert_eq!(distances.from_site(world.site("main", 1)), None);
    assert_eq!(distances.from_site(world.site("main", 0)), Some(2), "a function without a body is one step");
    assert_eq!(world.stack(&distances, &[("die", 0), ("main", 1)]), None);
}

#[test]
fn a_function_pointer_may_be_any_function_that_accepts_the_call() {
    let world = World::new(
        r#"
global @table size 16 align 8 element 8 zero [0; 8] = @one [8; 8] = @real

func @one(v0: i32) {
b0:
    v1: i32 = copy i32 0
    ret
}

func @real(v0: f64) {
b0:
    ret
}

func @two(v0: i32, v1: i32) {
b0:
    ret
}

func @hidden(v0: i32) {
b0:
    ret
}

func @main(v0: ptr) {
b0:
    call *v0(i64 5)
    v1: ptr = copy ptr @two
    ret
}
"#,
    );
    let from_main = |name| world.to(&[(name, 0)]).from_site(world.site("main", 0));
    assert_eq!(from_main("one"), Some(1), "another width is still accepted");
    assert_eq!(from_main("real"), None, "an integer is no float");
    assert_eq!(from_main("two"), None, "an argument is missing");
    assert_eq!(from_main("hidden"), None, "its address is taken nowhere");
    // Running through it costs what the cheapest candidate costs: 1 + 1.
    assert_eq!(world.to(&[("main", 1)]).from_site(world.site("main", 0)), Some(2));
    let Inst::Call { call } = world.program.functions[world.func("main")].code[0] else { panic!("a call") };
    assert_eq!(world.graph.callees(world.func("main"), call), [world.func("one")]);
    assert_eq!(world.graph.callers(world.func("one")).collect::<Vec<_>>(), [world.site("main", 0)]);
}

#[test]
fn what_is_registered_runs_at_exit() {
    let world = World::new(
        r#"
destructor @last
declare @atexit(v0: ptr) -> i32

declare @exit(v0: i32) noreturn

func @handler() {
b0:
    v0: i32 = copy i32 0
    ret
}

func @last() {
b0:
    ret
}

func @other() {
b0:
    ret
}

func @main(v0: i1) -> i32 {
b0:
    v1: i32 = call @atexit(ptr @handler) -> i32
    v2: ptr = copy ptr @other
    br v0, b1, b2
b1:
    call @exit(i32 1)
    unreachable
b2:
    ret i32 0
}
"#,
    );
    let distances = world.to(&[("handler", 0)]);
    assert_eq!(distances.from_site(world.site("main", 3)), Some(1), "by exit");
    assert_eq!(world.stack(&distances, &[("main", 5)]), Some(1), "by returning from main");
    assert_eq!(distances.from_site(world.site("main", 0)), Some(4), "not while it is registered");
    assert_eq!(world.stack(&world.to(&[("last", 0)]), &[("main", 5)]), Some(1));
    assert_eq!(world.stack(&world.to(&[("last", 0)]), &[("handler", 1)]), Some(1));
    assert_eq!(world.stack(&world.to(&[("other", 0)]), &[("main", 0)]), None);
}

const JUMP: &str = r#"
declare @setjmp(v0: ptr) -> i32

declare @longjmp(v0: ptr, v1: i32) noreturn

func @deep() {
b0:
    v0: i32 = copy i32 0
    call @longjmp(ptr 0, i32 1)
    unreachable
}

func @plain() {
b0:
    unreachable
}

func @outer() {
b0:
    v0: i32 = call @setjmp(ptr 0) -> i32
    v1: i1 = cmp eq i32 v0, i32 0
    br v1, b1, b2
b1:
    call @deep()
    ret
b2:
    call @plain()
    ret
}

func @main() {
b0:
    call @outer()
    ret
}
"#;

#[test]
fn longjmp_goes_back_to_where_setjmp_was_called() {
    let world = World::new(JUMP);
    let distances = world.to(&[("plain", 0)]);
    // deep 0: copy, longjmp (1 + 1), then cmp, br, call: 3.
    assert_eq!(world.stack(&distances, &[("deep", 0), ("outer", 3), ("main", 0)]), Some(1 + 1 + 3));
    assert_eq!(world.stack(&distances, &[("deep", 0)]), None, "nobody around it has called setjmp");
    assert_eq!(world.stack(&distances, &[("plain", 0), ("outer", 5), ("main", 0)]), Some(0));
    // From `outer`'s way out there is none; a longjmp is not on it.
    assert_eq!(world.stack(&distances, &[("outer", 4), ("main", 0)]), None);
}

#[test]
fn a_signal_is_no_hope_but_no_reason_to_give_up() {
    let text = r#"
declare @signal(v0: i32, v1: ptr) -> ptr

func @handler(v0: i32) {
b0:
    ret
}

func @main() {
b0:
    v0: ptr = call @signal(i32 2, ptr HANDLER) -> ptr
    call @handler(i32 1)
    ret
}
"#;
    let world = World::new(&text.replace("HANDLER", "@handler"));
    let distances = world.to(&[("handler", 0)]);
    assert_eq!(world.stack(&distances, &[("main", 0)]), Some(2), "by the call, not by the signal");
    assert!(world.stack(&distances, &[("main", 2)]).is_some(), "the signal may still come");
    let world = World::new(&text.replace("HANDLER", "1"));
    assert_eq!(world.stack(&world.to(&[("handler", 0)]), &[("main", 2)]), None, "SIG_IGN is no function");
}

#[test]
fn library_code_without_a_body_may_call_back() {
    let world = World::new(
        r#"
declare @qsort(v0: ptr, v1: i64, v2: i64, v3: ptr)

declare @unknown(v0: ptr)

func @compare(v0: ptr, v1: ptr) -> i32 {
b0:
    ret i32 0
}

func @given() {
b0:
    ret
}

func @main(v0: ptr) {
b0:
    call @qsort(ptr 0, i64 0, i64 0, v0)
    call @unknown(ptr @given)
    v1: ptr = copy ptr @compare
    ret
}
"#,
    );
    assert_eq!(world.to(&[("compare", 0)]).from_site(world.site("main", 0)), Some(1));
    assert_eq!(world.to(&[("given", 0)]).from_site(world.site("main", 1)), Some(1));
    assert_eq!(world.to(&[("main", 2)]).from_site(world.site("main", 0)), Some(2), "and comes back");
}

#[test]
fn code_that_nobody_has_may_do_anything() {
    let text = r#"
destructor @last
declare @setjmp(v0: ptr) -> i32

declare @nobody()

func @taken() {
b0:
    ret
}

func @last() {
b0:
    ret
}

func @main() {
b0:
    v0: i32 = call @setjmp(ptr 0) -> i32
    v1: i1 = cmp eq i32 v0, i32 0
    br v1, b1, b2
b1:
    v2: ptr = copy ptr @taken
    call @nobody()
    br b1
b2:
    br b2
}
"#;
    let world = World::new(text);
    let from = |name, pc| world.stack(&world.to(&[(name, pc)]), &[("main", 4)]);
    assert!(from("taken", 0).is_some(), "it may call what it finds");
    assert!(from("last", 0).is_some(), "it may exit");
    assert!(from("main", 6).is_some(), "it may jump");
    assert!(from("main", 5).is_some(), "it may come back");
    let world = World::new(&text.replace("nobody", "somebody"));
    let from = |name, pc| world.stack(&world.to(&[(name, pc)]), &[("main", 4)]);
    assert_eq!([from("taken", 0), from("last", 0), from("main", 6)], [None; 3]);
}

#[test]
fn what_a_model_answers_does_not_run_its_body() {
    let program = read_program(&format!("{HEAD}{TWICE}")).expect("well written");
    let foo = program.function_named("foo").expect("foo");
    let main = program.function_named("main").expect("main");
    let model = |func| Conduct { runs_code: func != foo, effect: Effect::Returns };
    let graph = CallGraph::with_conduct(&program, &model);
    let distances = Distances::to(&program, &graph, &[Site { func: main, pc: 2 }]);
    assert_eq!(distances.from_site(Site { func: main, pc: 1 }), Some(1));
    let distances = Distances::to(&program, &graph, &[Site { func: foo, pc: 0 }]);
    assert_eq!(distances.from_site(Site { func: main, pc: 1 }), None);
}
