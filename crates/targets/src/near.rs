//! Names that were probably meant.

/// The name that differs from `wanted` in at most a third of its letters; the nearest, and of those the first.
pub fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let lower = wanted.to_lowercase();
    let scored = names.map(|name| (strsim::osa_distance(&lower, &name.to_lowercase()), name));
    scored
        .filter(|(distance, name)| *distance <= name.len().div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|x| x.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_nonsense_is_not() {
        let names = ["parse", "print", "main"];
        assert_eq!(nearest("prase", names.into_iter()), Some("parse"));
        assert_eq!(nearest("mian", names.into_iter()), Some("main"), "two letters in the wrong order are one mistake");
        assert_eq!(nearest("Main", names.into_iter()), Some("main"));
        assert_eq!(nearest("quotearg", names.into_iter()), None);
    }
}
