//! Names of functions as a user writes several at once: `*` stands for any characters, also none.

/// Whether a name is meant by a pattern.
pub fn matches_pattern(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches_pattern;

    #[test]
    fn a_star_is_any_text() {
        for (pattern, name) in
            [("*", ""), ("*", "f"), ("f", "f"), ("f*", "f"), ("*_t", "a_t"), ("a*b*c", "axbbc"), ("a*a", "aa")]
        {
            assert!(matches_pattern(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("", "f"), ("f", "ff"), ("f*", "gf"), ("a*b*c", "acb"), ("a*a", "a"), ("*x*", "y")] {
            assert!(!matches_pattern(pattern, name), "{pattern} {name}");
        }
    }
}
