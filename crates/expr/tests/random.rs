//! Random terms evaluate like the trees they were asked for, whatever the rules made of them.

mod common;

use common::Points;
use common::source::{Source, WIDTHS};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(std::env::var("TAW_CASES").map_or(3000, |n| n.parse().unwrap())))]

    #[test]
    fn rewritten_terms_evaluate_like_their_trees(
        bytes in prop::collection::vec(any::<u8>(), 40..600),
        depth in 1u32..7,
        width in 0..WIDTHS.len(),
        mut points in prop::collection::vec(prop::collection::vec(any::<u64>(), 18), 4),
    ) {
        let (mut source, mut terms) = Source::new(&bytes);
        let tree = source.tree(WIDTHS[width], depth);
        let term = tree.build(&mut terms);
        prop_assert_eq!(tree.build(&mut terms), term, "the same again is the same term");
        points.extend([vec![0; 18], vec![1; 18], vec![u64::MAX; 18]]);
        points.push((0..18).collect());
        Points::new(points).check(&terms, &tree, term);
    }
}
