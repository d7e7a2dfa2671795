//! What instructions, globals and debug information are lowered to.

mod support;

use support::{function, loaded};
use taw_ir::{ConstValue, Program, Symbol};

fn ll(content: &str) -> Program {
    loaded("test.ll", content, &[])
}

/// The instructions of a function, without their places.
fn body(program: &Program, name: &str) -> Vec<String> {
    let text = function(program, name);
    let lines = text.lines().filter(|line| line.starts_with("    "));
    lines.map(|line| line.split(" ; ").next().unwrap_or_default().trim().to_string()).collect()
}

#[test]
fn phis_are_moves_that_do_not_disturb_each_other() {
    let program = ll(
        "define i32 @f(i1 %c) {\n  br label %h\nh:\n  %a = phi i32 [ 1, %0 ], [ %b, %h ]\n  %b = phi i32 [ 2, %0 ], [ %a, %h ]\n  br i1 %c, label %h, label %e\ne:\n  ret i32 %a\n}",
    );
    let expected = [
        "br b1 [v1: i32 = i32 1, v2: i32 = i32 2]",
        "br v0, b1 [v3: i32 = v1, v1: i32 = v2, v2: i32 = v3], b2",
        "ret v1",
    ];
    assert_eq!(body(&program, "f"), expected);
}

#[test]
fn addresses_sum_up_what_is_constant() {
    let program = ll(
        "%s = type { i32, [4 x { i8, i64 }] }\ndefine ptr @f(ptr %p, i32 %i) {\n  %a = getelementptr %s, ptr %p, i64 2, i32 1, i32 %i, i32 1\n  ret ptr %a\n}\ndefine ptr @g(ptr %p) {\n  %a = getelementptr %s, ptr %p, i64 0, i32 0\n  ret ptr %a\n}",
    );
    // Without a data layout, an i64 is aligned to 4 bytes.
    assert_eq!(body(&program, "f"), ["v2: ptr = ptrindex v0, 12 * i32 v1", "v3: ptr = ptradd v2, 112", "ret v3"]);
    assert_eq!(body(&program, "g"), ["ret v0"]);
}

#[test]
fn aggregates_are_taken_apart_without_instructions() {
    let program = ll(
        "define i32 @f({ i32, { i64, i32 } } %s) {\n  %t = extractvalue { i32, { i64, i32 } } %s, 1\n  %u = insertvalue { i64, i32 } %t, i32 7, 1\n  %v = extractvalue { i64, i32 } %u, 1\n  %w = extractvalue { i32, { i64, i32 } } %s, 0\n  %x = add i32 %v, %w\n  ret i32 %x\n}",
    );
    assert_eq!(body(&program, "f"), ["v3: i32 = add i32 7, v0", "ret v3"]);
}

#[test]
fn vectors_of_bits_are_one_integer_in_memory() {
    let program = ll(
        "define void @f(ptr %p, <3 x i1> %v) {\n  store <3 x i1> %v, ptr %p\n  ret void\n}\n@g = global <3 x i1> <i1 1, i1 0, i1 1>",
    );
    let stores = body(&program, "f").into_iter().filter(|line| line.starts_with("store")).collect::<Vec<_>>();
    assert_eq!(stores, ["store i3 v0, v10"]);
    assert_eq!(program.globals[program.global_names["g"]].init.as_ref().map(|i| i.bytes.clone()), Some(vec![5]));
}

#[test]
fn what_cannot_be_executed_is_named_at_its_place() {
    let program = loaded("asm.c", "int f(int x) {\n  __asm__ volatile(\"hlt\");\n  return x;\n}\n", &[]);
    let text = function(&program, "f");
    assert!(
        text.contains("unsupported \"inline assembly \\\"hlt\\\": the instruction `hlt`\"")
            && text.contains("; asm.c:2:3"),
        "{text}"
    );
    let program = ll(
        "define i64 @f() {\n  %t = call i64 @llvm.readcyclecounter()\n  ret i64 %t\n}\ndeclare i64 @llvm.readcyclecounter()",
    );
    assert_eq!(body(&program, "f")[0], "unsupported \"the intrinsic `llvm.readcyclecounter`\"");
    assert!(program.function_named("llvm.readcyclecounter").is_none());
}

#[test]
fn constant_expressions_are_values_or_instructions() {
    let program = ll(
        "@g = global [8 x i8] zeroinitializer\ndeclare void @use(i64, i64, i32)\ndefine void @f() {\n  call void @use(i64 ptrtoint (ptr getelementptr (i8, ptr @g, i64 3) to i64), i64 xor (i64 ptrtoint (ptr @g to i64), i64 1), i32 trunc (i64 sub (i64 ptrtoint (ptr @f to i64), i64 ptrtoint (ptr @g to i64)) to i32))\n  ret void\n}",
    );
    assert_eq!(body(&program, "f"), ["v0: i64 = xor i64 @g, i64 1", "call @use(i64 @g+3, v0, i32 (@f - @g))", "ret"]);
}

#[test]
fn missing_weak_symbols_are_null() {
    let program = loaded(
        "weak.c",
        "extern int maybe(void) __attribute__((weak)); int f(void) { return maybe ? maybe() : 0; }",
        &[],
    );
    let text = function(&program, "f");
    assert!(text.contains("i64 ptr 0, ptr 0") || text.contains("ne i64 ptr 0"), "{text}");
    assert!(text.contains("call @maybe()"), "{text}");
}

#[test]
fn constructors_run_by_priority_and_destructors_the_other_way_round() {
    let content = "#define C(n, p) __attribute__((constructor(p))) void c##n(void) {}\n#define D(n, p) __attribute__((destructor(p))) void d##n(void) {}\nC(1, 300) C(2, 200) C(3, 300) D(1, 300) D(2, 200) D(3, 300)";
    let program = loaded("order.c", content, &[]);
    let names = |ids: &[taw_ir::FuncId]| ids.iter().map(|&id| program.functions[id].name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&program.constructors), ["c2", "c1", "c3"]);
    assert_eq!(names(&program.destructors), ["d3", "d1", "d2"]);
}

#[test]
fn the_granularity_is_that_of_the_scalars() {
    let content = "int a[3][4]; short s; struct { int x, y; } pairs[5]; struct { int x; char c; } mixed[5]; char text[9]; long double l; void *p[2];";
    let program = loaded("element.c", content, &[]);
    let element = |name: &str| program.globals[program.global_names[name]].element;
    let all = ["a", "s", "pairs", "mixed", "text", "l", "p"].map(element);
    assert_eq!(all, [4, 2, 4, 1, 1, 1, 8]);
}

#[test]
fn initial_values_refer_to_symbols() {
    let program = loaded("init.c", "static int x[4]; int *p[2] = {0, x + 3}; int f(void); int (*q)(void) = f;", &[]);
    let init = |name: &str| program.globals[program.global_names[name]].init.clone().expect("it is defined");
    let (p, q) = (init("p"), init("q"));
    assert_eq!((p.relocations.len(), p.relocations[0].offset, p.relocations[0].bytes), (1, 8, 8));
    assert_eq!(p.relocations[0].value, ConstValue::Address(Symbol::Global(program.global_names["x"]), 12));
    assert_eq!(q.relocations[0].value, ConstValue::Address(Symbol::Function(program.names["f"]), 0));
}

#[test]
fn parameters_have_names_and_types_of_the_source() {
    let content = "typedef unsigned long size; struct s { long a, b; int c; }; struct t { long a; double d; };
int f(unsigned char c, const char *text, size n, int (*call)(int, char *), struct s big, struct t small, int grid[3][4], _Bool b) { return 0; }";
    for flags in [&[][..], &["-O2"], &["-O0", "-fdiscard-value-names"]] {
        let program = loaded("params.c", content, flags);
        let f = &program.functions[program.function_named("f").expect("it is there")];
        let spelled: Vec<String> = f.params.iter().map(|p| p.spelled(&program.types)).collect();
        let all: Vec<(&str, &str)> =
            f.params.iter().map(|p| p.name.as_str()).zip(spelled.iter().map(String::as_str)).collect();
        let expected = [
            ("c", "unsigned char"),
            ("text", "char *"),
            ("n", "unsigned long"),
            ("call", "int (*)(int, char *)"),
            ("big", "struct s"),
        ];
        assert_eq!(all[..5], expected, "{flags:?}");
        assert_eq!(
            (f.params[4].byval.map(|copy| copy.size), all[all.len() - 1]),
            (Some(24), ("b", "_Bool")),
            "{flags:?}"
        );
    }
}

#[test]
fn places_name_the_source_function_also_when_inlined() {
    let content = "static inline __attribute__((always_inline)) int inner(int x) {\n  return x / 3;\n}\nint outer(int y) {\n  return inner(y) + 1;\n}\n";
    let program = loaded("inline.c", content, &["-O2"]);
    let text = function(&program, "outer");
    assert!(text.contains("inline.c:2:12 in inner at inline.c:5:10"), "{text}");
    let division = program.locs.values().find(|loc| loc.function == "inner" && loc.line == 2).expect("a place");
    let outer = &program.locs[division.inlined_at.expect("it was inlined")];
    assert_eq!((outer.function.as_str(), outer.line), ("outer", 5));
    assert!(program.files[division.file].path.starts_with('/'));
}

#[test]
fn locals_keep_their_names() {
    let program = loaded(
        "locals.c",
        "int f(int n) { int total[3] = {n}; { int *inner = total + 1; total[2] = *inner; } return total[2]; }",
        &[],
    );
    let text = function(&program, "f");
    assert!(text.contains("\"total\"") && text.contains("\"inner\"") && text.contains("lifetime.end"), "{text}");
}

#[test]
fn promotion_leaves_only_what_needs_memory() {
    let content = "int g(int *); int f(int n, long double x) { _Bool b = n > 3; int seen = 1; if (b) seen = g(&n); return seen + (int)x; }";
    let mut program = loaded("promote.c", content, &[]);
    let before = program.functions.values().map(|f| f.code.len()).sum::<usize>();
    taw_ir::promote(&mut program);
    taw_ir::verify(&program).expect("it is still right");
    assert_eq!(program.functions.values().map(|f| f.code.len()).sum::<usize>(), before);
    let text = function(&program, "f");
    assert_eq!(text.matches("alloca").count(), 1, "{text}");
    assert!(text.contains("alloca 4 * i32 1 align 4 element 4 \"n\""), "{text}");
}

#[test]
fn masked_accesses_touch_only_their_lanes() {
    let program = ll(
        "declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, i32, <2 x i1>, <2 x i32>)\ndefine <2 x i32> @f(ptr %p, <2 x i1> %m) {\n  %v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr %p, i32 4, <2 x i1> %m, <2 x i32> <i32 8, i32 9>)\n  ret <2 x i32> %v\n}",
    );
    let expected = [
        "v3: i32 = copy i32 8",
        "br v1, b1, b2",
        "v3: i32 = load i32 v0",
        "br b2",
        "v4: i32 = copy i32 9",
        "br v2, b3, b4",
        "v5: ptr = ptradd v0, 4",
        "v4: i32 = load i32 v5",
        "br b4",
        "ret v3, v4",
    ];
    assert_eq!(body(&program, "f"), expected);
}

#[test]
fn calls_that_may_throw_go_on_normally() {
    let content = "struct guard { ~guard(); }; int may(int); int f(int x) { guard g; return may(x) + 1; }";
    let program = loaded("throw.cpp", content, &["-fexceptions"]);
    let text = function(&program, "_Z1fi");
    assert!(text.contains("call @_Z3mayi(") && text.contains("unsupported \"the instruction `landingpad`\""), "{text}");
}
