//! Types of the source: sizes, members and pointees as clang has them, on 64 and on 32 bits.

mod support;

use std::fmt::Write;
use std::process::Command;

use support::loaded;
use taw_ir::{Member, Program, Type, TypeId};
use taw_loader::Clang;

const SOURCE: &str = r#"
#include <stddef.h>
#include <stdint.h>
struct opaque;
enum color { red, green = 5, blue = -1 };
enum wide { big = 0x80000000u };
typedef struct node node_t;
struct node { node_t *next; struct node *children[2]; int value; };
struct inner { char c; double d; };
struct all {
  char c; short s; int i; long l; long long ll; float f; double d; long double ld; _Bool b;
  unsigned char uc; int8_t i8; uint64_t u64; size_t size; void *p; char *const text;
  enum color color; struct inner inner; struct { int x, y; }; union { int u; char bytes[4]; } both;
  int grid[3][4]; struct inner few[2]; int (*call)(int, char *); int (*row)[4]; struct opaque *hidden; node_t *list; volatile int v; int flexible[];
};
struct packed { char c; int i; short s; } __attribute__((packed));
struct aligned { char c; int i __attribute__((aligned(32))); };
struct bits { unsigned a : 3; unsigned b : 7; int : 0; int c : 12; unsigned long long d : 40; _Bool e : 1; char plain; unsigned f : 30; };
union choice { char c; long l; struct inner s; };
struct empty {};
struct all *all(struct all *p) { return p; }
struct packed packed; struct aligned aligned; union choice choice; struct node node; struct empty empty;
struct bits ones[] = { {.a = -1}, {.b = -1}, {.c = -1}, {.d = -1}, {.e = 1}, {.f = -1} };
int takes(const struct packed *p, struct inner by_value, node_t *list, int n, char name[static 4], ...) { struct bits local; local.a = n; return local.a + p->i; }
"#;

/// The record with that tag.
fn record(program: &Program, tag: &str) -> TypeId {
    let is_it = |ty: &Type| matches!(ty, Type::Record(record) if record.name == tag);
    program.types.all.iter().find(|(_, ty)| is_it(ty)).unwrap_or_else(|| panic!("there is no {tag}")).0
}

/// What the table says, as assertions that clang checks.
fn assertions(program: &Program, tag: &str, text: &mut String) {
    let (types, id) = (&program.types, record(program, tag));
    let named = types.spelled(id);
    writeln!(text, "_Static_assert(sizeof({named}) == {}, \"{tag}\");", types.bytes(id, &program.layout).unwrap())
        .unwrap();
    members(program, id, 0, &named, text);
}

fn members(program: &Program, id: TypeId, base: u64, named: &str, text: &mut String) {
    let types = &program.types;
    for Member { name, offset, ty, width } in types.members(id).expect("it is defined") {
        if name.is_empty() {
            members(program, *ty, base + offset, named, text);
        } else if width.is_none() {
            let at = (base + offset) / 8;
            writeln!(text, "_Static_assert(offsetof({named}, {name}) == {at}, \"{name}\");").unwrap();
            if let Some(size) = types.bytes(*ty, &program.layout) {
                let member = format!("(({named} *)0)->{name}");
                writeln!(text, "_Static_assert(sizeof({member}) == {size}, \"{name}\");").unwrap();
            }
            // The type is spelled so that clang takes it for the same, qualifiers aside.
            if types.members(*ty).is_none() {
                let same = format!("same_{}_{name}", text.len());
                writeln!(text, "extern {};", types.declared(*ty, same.clone())).unwrap();
                let member = format!("(({named} *)0)->{name}");
                writeln!(
                    text,
                    "_Static_assert(__builtin_types_compatible_p(__typeof_unqual__({member}), __typeof__({same})), \"type of {name}\");"
                )
                .unwrap();
            }
        }
    }
}

fn on_both(check: impl Fn(&Program, &str)) {
    for machine in ["-m64", "-m32"] {
        for level in ["-O0", "-O2"] {
            let program = loaded("types.c", SOURCE, &[machine, level]);
            taw_ir::verify_types(&program).expect("the types make sense");
            check(&program, machine);
        }
    }
}

#[test]
fn sizes_offsets_and_spellings_are_those_of_clang() {
    on_both(|program, machine| {
        let mut text = SOURCE.to_owned();
        for tag in ["all", "packed", "aligned", "choice", "node", "inner", "empty"] {
            assertions(program, tag, &mut text);
        }
        assert!(text.matches("_Static_assert").count() > 100, "{text}");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("check.c");
        std::fs::write(&file, &text).expect("a file");
        let clang = Clang::find().expect("clang is part of the set-up");
        let out = Command::new(clang.path()).args(["-fsyntax-only", "-std=gnu23", "-w", machine]).arg(&file).output();
        let out = out.expect("clang runs");
        assert!(out.status.success(), "{machine}\n{}", String::from_utf8_lossy(&out.stderr));
    });
}

/// The bits that an initial value sets are where the table says the field is.
#[test]
fn bit_fields_are_where_their_values_are() {
    on_both(|program, machine| {
        let types = &program.types;
        let bits = record(program, "bits");
        let size = types.bytes(bits, &program.layout).expect("a size") as usize;
        let init = program.globals[program.global_names["ones"]].init.as_ref().expect("it is defined");
        for (name, content) in ["a", "b", "c", "d", "e", "f"].iter().zip(init.bytes.chunks(size)) {
            let (offset, member) = types.member(bits, name).expect("a member");
            let width = u64::from(member.width.expect("a bit field"));
            let set: Vec<u64> = (0..size as u64 * 8).filter(|&i| content[i as usize / 8] >> (i % 8) & 1 == 1).collect();
            assert_eq!(set, (offset..offset + width).collect::<Vec<_>>(), "{machine} {name}");
        }
        assert_eq!(types.member(bits, "plain").map(|(_, member)| member.width), Some(None));
    });
}

#[test]
fn types_refer_to_each_other_and_to_themselves() {
    on_both(|program, _| {
        let types = &program.types;
        let node = record(program, "node");
        let next = types.member(node, "next").expect("a member").1.ty;
        assert_eq!(types.spelled(next), "node_t *");
        assert_eq!(types.plain(types.pointee(next).expect("a pointer")), node);
        let all = record(program, "all");
        let of = |name: &str| types.spelled(types.member(all, name).unwrap_or_else(|| panic!("{name}")).1.ty);
        assert_eq!(of("call"), "int (*)(int, char *)");
        assert_eq!(of("row"), "int (*)[4]");
        assert_eq!(of("grid"), "int [3][4]");
        assert_eq!(of("flexible"), "int []");
        assert_eq!(of("hidden"), "struct opaque *");
        assert_eq!(of("text"), "char *");
        assert_eq!(of("size"), if program.layout.pointer_bits == 64 { "unsigned long" } else { "unsigned int" });
        assert_eq!(of("x"), "int", "a member of an anonymous structure");
        let hidden = types.pointee(types.member(all, "hidden").expect("a member").1.ty).expect("a pointer");
        assert_eq!((types.members(hidden), types.bytes(hidden, &program.layout)), (None, None));
        let color = types.member(all, "color").expect("a member").1.ty;
        let Type::Enum { signed, bits, enumerators, .. } = &types.all[color] else { panic!("an enum") };
        assert_eq!((*signed, *bits), (true, 32));
        assert_eq!(*enumerators, [("red".into(), 0), ("green".into(), 5), ("blue".into(), -1)]);
    });
}

#[test]
fn functions_parameters_globals_and_locals_have_types() {
    let program = loaded("types.c", SOURCE, &["-O0"]);
    let types = &program.types;
    let takes = &program.functions[program.function_named("takes").expect("it is there")];
    let function = types.spelled(takes.source.expect("its type"));
    assert_eq!(function, "int (struct packed *, struct inner, node_t *, int, char *, ...)");
    let of = |name: &str| {
        let param = takes.params.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("{name}"));
        param.spelled(types)
    };
    assert_eq!([of("p"), of("by_value"), of("list"), of("n")], ["struct packed *", "struct inner", "node_t *", "int"]);
    let local = takes.allocas.values().find(|alloca| alloca.name == "local").expect("a local");
    assert_eq!(types.spelled(local.source.expect("its type")), "struct bits");
    let ones = &program.globals[program.global_names["ones"]];
    assert_eq!(types.spelled(ones.source.expect("its type")), "struct bits [6]");
    let mut promoted = program.clone();
    taw_ir::promote(&mut promoted);
    let takes = &promoted.functions[promoted.function_named("takes").expect("it is there")];
    let n = takes.regs.values().filter(|reg| reg.name == "n").filter_map(|reg| reg.source).map(|ty| types.spelled(ty));
    assert!(n.eq(["int", "int"]), "the parameter and the local that it goes into");
}

#[test]
fn what_one_file_declares_another_defines() {
    let content = "struct s; struct t; struct s *p; struct t *q; void g(struct s *p) {}\n\
                   void f(void) { struct s { int x; } here; struct s *mine = &here; mine->x = 1; }";
    let program = loaded("declares.c", content, &[]);
    let types = &program.types;
    let pointee = |name: &str| {
        let source = program.globals[program.global_names[name]].source.expect("a type");
        types.pointee(source).expect("a pointer")
    };
    assert_eq!(types.members(pointee("p")).map(<[Member]>::len), Some(1), "by the only definition of that name");
    assert_eq!(types.members(pointee("q")), None);
}

/// A module whose function has a parameter of the type that the node is.
fn with_type(nodes: &str) -> Program {
    let text = format!(
        "define void @f(i32 %x) !dbg !4 {{\n  ret void\n}}\n!llvm.dbg.cu = !{{!0}}\n!llvm.module.flags = !{{!1}}\n\
         !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)\n\
         !1 = !{{i32 2, !\"Debug Info Version\", i32 3}}\n!2 = !DIFile(filename: \"a.c\", directory: \"/\")\n\
         !3 = !DISubroutineType(types: !5)\n\
         !4 = distinct !DISubprogram(name: \"f\", scope: !2, file: !2, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)\n\
         !5 = !{{null, !6}}\n!9 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n{nodes}\n"
    );
    loaded("circle.ll", &text, &[])
}

/// What no compiler writes is not believed, and does not keep the loader busy.
#[test]
fn circles_that_c_does_not_have_are_cut() {
    let spelled = |nodes: &str| {
        let program = with_type(nodes);
        let f = &program.functions[program.function_named("f").expect("it is there")];
        f.source.map(|source| program.types.spelled(source))
    };
    assert_eq!(
        spelled("!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !9, size: 64)"),
        Some("void (int *)".into())
    );
    let typedef = "!6 = distinct !DIDerivedType(tag: DW_TAG_typedef, name: \"T\", baseType: !6)";
    assert_eq!(spelled(typedef), Some("void (T)".into()));
    let pointer = "!6 = distinct !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)";
    assert_eq!(spelled(pointer), Some("void ((unknown) *)".into()));
    let function = "!6 = distinct !DISubroutineType(types: !7)\n!7 = !{!6, !6, !6}";
    assert!(spelled(function).is_some());
    let inside = "!6 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"s\", size: 32, elements: !7)\n!7 = !{!8}\n\
                  !8 = !DIDerivedType(tag: DW_TAG_member, name: \"x\", baseType: !6, size: 32)";
    assert_eq!(spelled(inside), None, "no type is believed");
    let outside = "!6 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"s\", size: 32, elements: !7)\n!7 = !{!8}\n\
                   !8 = !DIDerivedType(tag: DW_TAG_member, name: \"x\", baseType: !9, size: 32, offset: 32)";
    assert_eq!(spelled(outside), None);
}

#[test]
fn without_debug_information_there_are_no_types() {
    let program = loaded("plain.ll", "define i32 @f(i32 %x) {\n  ret i32 %x\n}", &[]);
    assert!(program.types.all.is_empty());
    assert_eq!(program.functions.values().next().expect("f").params[0].spelled(&program.types), "");
}
