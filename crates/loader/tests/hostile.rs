//! LLVM assembly that no compiler writes: types of any size, nodes of the wrong kind, damaged text. It is refused, or what is not
//! understood becomes an instruction that says so; nothing aborts, panics or takes for ever.

mod support;

use std::time::{Duration, Instant};

use support::{loaded, try_load};

const TARGET: &str = "target triple = \"x86_64-unknown-linux-gnu\"\n";

/// What the instructions of a function say that cannot be followed.
fn unsupported(body: &str) -> String {
    let start = Instant::now();
    let program = loaded("odd.ll", &format!("{TARGET}{body}"), &[]);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?} for {body}", start.elapsed());
    taw_ir::verify(&program).expect("what is loaded is right");
    program.to_string().lines().filter(|line| line.contains("unsupported")).collect()
}

#[test]
fn types_that_cannot_be_split_are_named_where_they_are_used() {
    for (code, said) in [
        ("%p = alloca <vscale x 4 x i32>", "a local of a type whose size is not known"),
        ("%p = alloca [9223372036854775807 x i64]", "too large for any address"),
        ("%p = alloca [2305843009213693952 x i64]", "too large for any address"),
        ("%v = load <vscale x 4 x i32>, ptr @g", "load of a scalable vector"),
        ("%v = load [100000000 x i8], ptr @g", "more than 65,536 parts or bits"),
        ("%v = load i8388608, ptr @g", "more than 65,536 parts or bits"),
        ("%v = add <16777216 x i8> zeroinitializer, zeroinitializer", "more than 65,536 parts or bits"),
        ("%v = extractelement <16777216 x i8> zeroinitializer, i32 3", "more than 65,536 parts or bits"),
        ("%v = getelementptr [9223372036854775807 x [9 x i64]], ptr @g, i64 0, i64 %i", "an address in a type"),
        ("store [100000000 x i8] zeroinitializer, ptr @g", "more than 65,536 parts or bits"),
    ] {
        let body = format!("@g = global [8 x i8] zeroinitializer\ndefine void @f(i64 %i) {{\n {code}\n ret void\n}}\n");
        let found = unsupported(&body);
        assert!(found.contains(said), "{code}: {found:?}");
    }
}

#[test]
fn structures_that_double_are_looked_at_once() {
    let mut body = String::from("%t0 = type { i8, i8 }\n");
    (1..70).for_each(|i| body += &format!("%t{i} = type {{ %t{0}, %t{0} }}\n", i - 1));
    body += "%e0 = type { {}, {} }\n";
    (1..70).for_each(|i| body += &format!("%e{i} = type {{ %e{0}, %e{0} }}\n", i - 1));
    body += "define void @f(ptr %p) {\n %a = alloca %t40\n %b = alloca %t69\n %c = load %e69, ptr %p\n ret void\n}\n";
    let found = unsupported(&body);
    assert!(found.contains("too large for any address") && found.contains("more than 65,536 parts"), "{found:?}");
}

#[test]
fn globals_that_nobody_can_keep_are_refused() {
    for ty in ["[1152921504606846976 x i8]", "[9223372036854775807 x i64]", "[2305843009213693952 x i64]"] {
        match try_load("large.ll", format!("{TARGET}@g = global {ty} zeroinitializer\n"), &[]) {
            Ok(_) => panic!("{ty} is loaded"),
            Err(error) => assert!(error.to_string().starts_with("the global `g` has more than"), "{error}"),
        }
    }
}

const PROGRAM: &str = r#"target triple = "x86_64-unknown-linux-gnu"
@g = internal global { i32, [4 x i16] } { i32 7, [4 x i16] [i16 1, i16 2, i16 3, i16 4] }, align 8, !dbg !20
define i32 @main(i32 %n, ptr %v) !dbg !4 {
entry:
  %a = alloca [3 x i32], align 4
  %p = getelementptr inbounds [3 x i32], ptr %a, i64 0, i64 1
  store i32 %n, ptr %p, align 4, !dbg !7
  %x = load <2 x i16>, ptr getelementptr (i8, ptr @g, i64 4), align 4, !dbg !9
  %y = extractelement <2 x i16> %x, i32 1
  %c = icmp slt i32 %n, 10
  br i1 %c, label %then, label %else
then:
  %z = sext i16 %y to i32
  %s = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %z, i32 %n)
  %r = extractvalue { i32, i1 } %s, 0
  br label %else
else:
  %q = phi i32 [ 0, %entry ], [ %r, %then ]
  switch i32 %q, label %end [ i32 3, label %then i32 4, label %end ]
end:
  ret i32 %q, !dbg !9
}
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "x", emissionKind: FullDebug, globals: !21)
!1 = !DIFile(filename: "a.c", directory: "/x")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{!6, !6})
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DILocation(line: 2, column: 1, scope: !8)
!8 = distinct !DILexicalBlock(scope: !4, file: !1, line: 3)
!9 = !DILocation(line: 4, column: 3, scope: !4)
!10 = !{!11}
!11 = !DISubrange(count: 4)
!12 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 64, elements: !10)
!19 = distinct !DIGlobalVariable(name: "g", scope: !0, file: !1, line: 9, type: !12, isLocal: true, isDefinition: true)
!20 = !DIGlobalVariableExpression(var: !19, expr: !DIExpression())
!21 = !{!20}
"#;

/// A number below `n` (xorshift).
fn below(state: &mut u64, n: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as usize % n
}

/// Nodes of debug information in the place of others, numbers and types exchanged, words left out.
fn damaged(state: &mut u64) -> String {
    let mut words: Vec<&str> = PROGRAM.split_inclusive([' ', ',', '\n', '(', ')', '[', ']']).collect();
    for _ in 0..=below(state, 3) {
        let start = |word: &str| word.chars().next().map(|c| if c.is_ascii_digit() { '0' } else { c });
        let at = below(state, words.len());
        let alike: Vec<usize> = (0..words.len()).filter(|&i| start(words[i]) == start(words[at])).collect();
        let other = alike[below(state, alike.len())];
        match below(state, 5) {
            0 => words[at] = "",
            1 if start(words[at]) == Some('0') => words[at] = "9223372036854775807 ",
            _ => words[at] = words[other],
        }
    }
    words.concat()
}

/// `TAW_FUZZ` says how many; `make fuzz` wants more of them.
#[test]
fn damaged_assembly_is_loaded_or_refused() {
    let count: u64 = std::env::var("TAW_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut read = 0;
    for seed in 1..=count {
        let text = damaged(&mut seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let start = Instant::now();
        if let Ok(program) = try_load("damaged.ll", &text, &[]) {
            read += 1;
            if let Err(broken) = taw_ir::verify(&program) {
                panic!("seed {seed}: {broken}\n{text}");
            }
        }
        assert!(start.elapsed() < Duration::from_secs(30), "seed {seed} takes {:?}:\n{text}", start.elapsed());
    }
    assert!(read * 20 > count, "only {read} of {count} were loaded: the damage is too great");
}
