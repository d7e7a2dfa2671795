//! How native code passes parameters is part of the text form.

use taw_ir::{Passing, read_program};

#[test]
fn passing_is_written_and_read() {
    let text = r#"declare @f(v0: i8 "c" type0 signext, v1: i16 zeroext, v2: f32 part, v3: i32, v4: ptr const atleast 12) -> i32"#;
    let program =
        read_program(&format!("target \"x\" 64 bits little\ntype type0 = integer \"char\" signed 8\n{text}\n"))
            .expect("the text is right");
    let function = program.functions.values().next().expect("there is one");
    let passing: Vec<Passing> = function.params.iter().map(|p| p.passing).collect();
    assert_eq!(passing, [Passing::SignExtended, Passing::ZeroExtended, Passing::Part, Passing::Plain, Passing::Plain]);
    assert!(program.to_string().contains(text), "{program}");
}
