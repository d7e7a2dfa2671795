//! The staged subjects of the corpus: their valid paths are known exactly (Table 1 of the staged paper, and counts by
//! exhaustive enumeration where the paper's subject differs).

use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::taw::Taw;

/// A method: its macro in `tests/staged/harness.c`, its file, the labels of a valid path, and (pool size, valid paths).
type Row = (&'static str, &'static str, &'static str, &'static [(u32, usize)]);

const ROWS: &[Row] = &[
    ("ST_REPOK", "search_tree.c", "valid", &[(3, 9), (4, 23), (5, 65)]),
    ("ST_ADD", "search_tree.c", "st_add_valid", &[(3, 29), (4, 99), (5, 351)]),
    ("ST_REMOVE", "search_tree.c", "st_remove_valid", &[(3, 49), (4, 175), (5, 637)]),
    ("ST_ISPREORDER", "search_tree.c", "st_isPreOrder_valid", &[(2, 16), (3, 48), (4, 149)]),
    ("ST_ISEQUAL", "search_tree.c", "st_isEqual_valid", &[(2, 16), (3, 81), (4, 529)]),
    ("ST_UNION", "search_tree.c", "st_union_valid", &[(2, 82)]),
    ("SL_REPOK", "sorted_list.c", "valid", &[(6, 7), (7, 8), (8, 9)]),
    ("SL_ADD", "sorted_list.c", "sl_add_valid", &[(6, 28), (7, 36), (8, 45)]),
    ("SL_REMOVE", "sorted_list.c", "sl_remove_valid", &[(6, 28), (7, 36), (8, 45)]),
    ("SL_MERGE", "sorted_list.c", "sl_merge_valid", &[(3, 69), (4, 251), (5, 923)]),
    ("SL_ISEQUAL", "sorted_list.c", "sl_isEqual_valid", &[(4, 55), (5, 91), (6, 140)]),
    ("SL_ISINTERSECTION", "sorted_list.c", "sl_isIntersection_valid", &[(2, 112), (3, 796)]),
    ("SL_UNION", "sorted_list.c", "sl_union_valid", &[(2, 31)]),
    // One path less than there are shapes: sizes 0 and 1 take the same.
    ("BH_REPOK", "binary_heap.c", "valid", &[(8, 8), (9, 9)]),
    ("BH_ADD", "binary_heap.c", "bh_add_valid", &[(8, 25), (9, 29), (10, 33)]),
    // The empty heap is valid too.
    ("BH_REMOVE", "binary_heap.c", "bh_remove_valid|bh_remove_empty", &[(8, 35), (9, 44), (10, 56)]),
];

/// One trial per method and size.
pub fn staged_trials(taw: &Taw, corpus: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for &(method, file, label, sizes) in ROWS {
        for &(size, paths) in sizes {
            let (taw, corpus) = (taw.clone(), corpus.to_owned());
            let name = format!("staged/{}-{size}", method.to_lowercase().replace('_', "-"));
            let check = move || check(&taw, &corpus, (method, file, label), size, paths);
            trials.push(Trial::test(name, move || check().map_err(Failed::from)));
        }
    }
    trials
}

fn check(taw: &Taw, corpus: &Path, row: (&str, &str, &str), size: u32, paths: usize) -> Result<(), String> {
    let (method, file, label) = row;
    let out = crate::scratch()?;
    let arguments = [
        "tests/staged/harness.c".to_owned(),
        "-I".to_owned(),
        corpus.display().to_string(),
        format!("-DSUBJECT=\"{file}\""),
        format!("-DMAX_SIZE={size}"),
        format!("-D{method}"),
        "--marker".to_owned(),
        "reach".to_owned(),
    ];
    let run = taw.run(&out.path().join("out"), &arguments, Duration::from_secs(300))?;
    if run.code() == 2 {
        return Err(run.stderr());
    }
    let document = run.document()?;
    let tests = run.tests()?;
    let valid = tests.iter().filter(|test| test.labels.iter().any(|l| label.split('|').any(|one| one == l))).count();
    if valid != paths || !document.exhaustive {
        return Err(format!("{valid} valid paths instead of {paths}; exhaustive: {}", document.exhaustive));
    }
    if document.findings.is_empty() { Ok(()) } else { Err(format!("findings: {:?}", document.findings)) }
}
