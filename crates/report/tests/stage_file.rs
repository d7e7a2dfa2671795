//! Stages that are written and read again; and files that somebody has changed and given a hash that fits: read or refused, never a panic.

use taw_engine::{
    CellContent, Formula, ObjectCount, Structure, StructureCell, StructureObject, StructurePointer, StructureSet,
};
use taw_report::{StageFile, StageHead, StageInstances, identity_hash};

fn cell(at: u64, bytes: u64, content: CellContent) -> StructureCell {
    StructureCell { at, bytes, path: format!(".m{at}"), ty: "int".to_owned(), content }
}

fn node(key: CellContent, next: StructurePointer) -> StructureObject {
    let cells = vec![cell(0, 4, key), cell(8, 8, CellContent::Pointer(next))];
    StructureObject { ty: "struct node".to_owned(), count: ObjectCount::Exactly(1), cells }
}

/// Lists of up to `most` nodes whose keys increase; the last one leads back to the first.
fn lists(most: usize) -> StageFile {
    let width = |_| Some(32);
    let list = |nodes: usize| Structure {
        roots: vec![(nodes > 0).then_some(0)],
        objects: (0..nodes)
            .map(|at| node(CellContent::Free(at as u64), Some(if at + 1 == nodes { 0 } else { at + 1 })))
            .collect(),
        conditions: (1..nodes).map(|at| Formula::read(&format!("slt({}.0,{at}.0)", at - 1), &width).unwrap()).collect(),
        returns: Some(1),
    };
    let stage = StructureSet {
        name: "l.stage".to_owned(),
        invariant: "ok".to_owned(),
        decides_alone: true,
        cut: vec!["more".to_owned()],
        structures: (0..=most).map(list).collect(),
    };
    let head = StageHead {
        types: vec!["struct node".to_owned()],
        invariant: "ok".to_owned(),
        parameters: vec!["l".to_owned()],
        decides_alone: true,
        not_tried: vec!["more".to_owned()],
        ..StageHead::default()
    };
    StageFile { head, stage }
}

#[test]
fn what_is_written_is_read() {
    let file = lists(5);
    let read = StageFile::parse("l.stage", &file.text()).unwrap();
    assert_eq!(read.stage, file.stage);
    assert_eq!((read.head.structures, read.head.objects.len()), (6, 1));
    assert_eq!(read.text(), file.text());
    let mut count = 0;
    StageInstances::new(&read.stage.structures[3], -1, 3).for_each(&mut |_| count += 1);
    assert_eq!(count, 10, "three of five numbers, in order");
}

/// What a file says, changed somewhere, with a hash that fits.
#[test]
fn changed_files_do_no_harm() {
    let text = lists(4).text();
    let body = text.rsplit_once("end ").unwrap().0;
    let lines: Vec<&str> = body.lines().collect();
    let words = [
        "",
        ">",
        ">9",
        "-",
        "{",
        "{7",
        "{0*99999999999",
        "}",
        "0~",
        "8>",
        "0=99999999999",
        "?",
        "?eq(0.0,1.0)",
        "?ult(0.0,9w8)",
        "r",
        "!1",
        "99",
    ];
    let mut refused = 0;
    for (number, line) in lines.iter().enumerate().skip(2) {
        let parts: Vec<&str> = line.split(' ').collect();
        for at in 0..parts.len() {
            for word in words {
                let mut changed = parts.clone();
                changed[at] = word;
                let changed = changed.join(" ");
                let mut all = lines.clone();
                all[number] = &changed;
                let body = all.join("\n") + "\n";
                let text = format!("{body}end {}\n", identity_hash(&body));
                refused += usize::from(StageFile::parse("l.stage", &text).is_err());
            }
        }
    }
    assert!(refused > 500, "{refused}");
    // Values that do not satisfy the conditions.
    let body = body.replace("!0,1\n", "!1,0\n");
    let said = StageFile::parse("l.stage", &format!("{body}end {}\n", identity_hash(&body))).unwrap_err().to_string();
    assert!(said.contains("line 5: its values do not satisfy `slt(0.0,1.0)`"), "{said}");
}
