//! Tests of the options for inputs.

use super::*;
use clap::Parser;

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    inputs: InputArgs,
}

fn parsed(words: &str) -> InputArgs {
    Line::try_parse_from(words.split(' ')).unwrap_or_else(|error| panic!("{error}")).inputs
}

fn world(words: &str) -> World {
    parsed(words).world(OsStr::new("p"), None).unwrap()
}

fn refusal(words: &str) -> String {
    match parsed(words).world(OsStr::new("p"), None) {
        Err(Failure::Message(text)) => text,
        other => panic!("{words}: {other:?}"),
    }
}

fn text(word: &str) -> Arg {
    Arg::Text(word.as_bytes().to_vec())
}

#[test]
fn arguments_keep_the_order_in_which_they_are_said() {
    let line = "taw --sym-args 0 1 10 --sym-arg 3 --sym-args 0 2 2 --sym-arg 1 -- -n @sym:4 @@sym:4 @x @syms:1:2:3";
    let several = |min, max, len| Arg::Several { min, max, len };
    let wanted = [
        several(0, 1, 10),
        Arg::Symbolic(3),
        several(0, 2, 2),
        Arg::Symbolic(1),
        text("-n"),
        Arg::Symbolic(4),
        text("@sym:4"),
        text("@x"),
        several(1, 2, 3),
    ];
    assert_eq!(world(line).args, wanted);
    assert!(parsed(line).asks_for_arguments());
    assert!(!parsed("taw -- @@sym:4").asks_for_arguments());
}

#[test]
fn files_and_variables_are_named_once() {
    let made = world("taw --sym-files 2 8 --sym-file data=3 --sym-env HOME=4 --env X=y=z --sym-stdin 5 --argv0 cat");
    let names: Vec<(&str, &Content)> = made.files.iter().map(|(name, content)| (name.as_str(), content)).collect();
    assert_eq!(names, [("A", &Content::Symbolic(8)), ("B", &Content::Symbolic(8)), ("data", &Content::Symbolic(3))]);
    assert_eq!(made.env, [(b"X".to_vec(), Content::Bytes(b"y=z".to_vec())), (b"HOME".to_vec(), Content::Symbolic(4))]);
    assert_eq!((made.stdin, made.program), (Some(Content::Symbolic(5)), b"cat".to_vec()));
    assert!(refusal("taw --sym-files 1 8 --sym-file A=3").contains("the file `A` is given twice"));
    assert!(refusal("taw --env X=1 --sym-env X=3").contains("variable `X` is given twice"));
    assert!(refusal("taw --sym-files 27 1").contains("at most 26"));
}

#[test]
fn what_cannot_be_meant_is_refused_with_a_way_out() {
    for (line, part) in [
        ("taw -- @sym:x", "is not @sym:LEN; a word that begins with @ as it is: `@@sym:x`"),
        ("taw -- @syms:1:2", "is not @syms:MIN:MAX:LEN"),
        ("taw --sym-args 3 2 1", "say the smaller number first"),
        ("taw --sym-args 0 5000 1", "too many"),
        ("taw --file A=no/such", "--file: cannot read `no/such`"),
        ("taw --stdin no/such", "--stdin: cannot read `no/such`"),
        ("taw --host-file no/such", "--host-file: cannot read"),
        ("taw --host-dir Cargo.toml", "is not a folder"),
        ("taw --sym-file a/=3", "names a folder"),
        ("taw --peer tcp:1=no/such", "--peer: cannot read `no/such`"),
    ] {
        let said = refusal(line);
        assert!(said.contains(part), "{line}: {said}");
    }
    for line in ["--sym-arg x", "--sym-arg 99999999", "--sym-file A", "--sym-env =3", "--sym-args 1 2", "--env X"] {
        let words = std::iter::once("taw").chain(line.split(' '));
        assert!(Line::try_parse_from(words).is_err(), "{line}");
    }
    assert!(Line::try_parse_from(["taw", "--stdin", "f", "--sym-stdin", "3"]).is_err());
}

#[test]
fn peers_come_in_the_order_in_which_they_are_said() {
    let made = world("taw --sym-peer tcp:80=2 --peer unix:/tmp/s=Cargo.toml --sym-peer unix:@name=0").peers;
    let places: Vec<PeerAddress> = made.iter().map(|(at, _)| at.clone()).collect();
    let unix = |path: &str| PeerAddress::Unix(path.as_bytes().to_vec());
    assert_eq!(places, [PeerAddress::Tcp(80), unix("/tmp/s"), unix("@name")]);
    assert_eq!(made[0].1, Content::Symbolic(2));
    assert_eq!(made[1].1, Content::Bytes(std::fs::read("Cargo.toml").unwrap()));
    let long = format!("unix:{}=1", "x".repeat(108));
    let wrong =
        ["tcp:80", "tcp:0=1", "tcp:65536=1", "tcp:http=1", "udp:53=1", "unix:=1", "80=1", "=1", "tcp:80=x", &long];
    for text in wrong {
        assert!(Line::try_parse_from(["taw", "--sym-peer", text]).is_err(), "{text}");
    }
    for text in ["tcp:80", "tcp:80=", "udp:53=f"] {
        assert!(Line::try_parse_from(["taw", "--peer", text]).is_err(), "{text}");
    }
}

#[test]
fn standard_input_that_was_read_before_is_not_read_again() {
    let again = parsed("taw --stdin -").world(OsStr::new("p"), Some(b"before")).unwrap();
    assert_eq!(again.stdin, Some(Content::Bytes(b"before".to_vec())));
}
