//! What a native call gave, as the replay library tells it, against what the test says (`ReturnRecord`).
//!
//! Boundary: only what the test claims is compared: its masks leave out padding and what nobody wrote, and pointers are compared by the objects that
//! they lead to. Bytes of which MemorySanitizer says that nobody wrote them are equal to everything.

use std::collections::BTreeMap;

use taw_report::{AfterPointer, ContentRecord, ReturnRecord, TestFile};

/// What a native call gave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct NativeReturn {
    /// Bytes of a pointer.
    word: usize,
    result: Told,
    /// By number.
    objects: BTreeMap<usize, Told>,
}

/// Memory as it was seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Told {
    address: u64,
    /// None where nobody has written.
    bytes: Vec<Option<u8>>,
}

impl NativeReturn {
    /// Reads what the replay library wrote; nothing if the call did not return.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut all = NativeReturn::default();
        for line in text.lines() {
            let mut words = line.split(' ');
            let (what, number) = (words.next()?, words.next()?.parse().ok()?);
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            let digits = words.next().unwrap_or_default().as_bytes();
            let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
            let told = Told { address, bytes: digits.chunks(2).map(byte).collect() };
            match what {
                "word" => all.word = number,
                "result" => all.result = told,
                _ => _ = all.objects.insert(number, told),
            }
        }
        (all.word > 0).then_some(all)
    }

    /// Whether it has bytes that nobody wrote.
    pub(crate) fn has_unwritten(&self) -> bool {
        self.objects.values().chain([&self.result]).any(|told| told.bytes.contains(&None))
    }
}

/// How what a call gave differs from what the test says, in words.
pub(crate) fn difference(test: &TestFile, claimed: &ReturnRecord, native: &NativeReturn) -> Option<String> {
    if let Some(content) = &claimed.result
        && let Some(why) = content_differs(content, &native.result, claimed, native)
    {
        return Some(format!("the result {why}"));
    }
    for (number, object) in claimed.objects.iter().enumerate() {
        let Some(content) = &object.content else { continue };
        let Some(told) = native.objects.get(&number) else { continue };
        if let Some(why) = content_differs(content, told, claimed, native) {
            let known = test.call.as_ref().and_then(|call| call.objects.get(number));
            let name = known.map_or_else(
                || "an object that the call leads to".to_owned(),
                |o| format!("`{}{}`", if o.global.is_some() { "" } else { "*" }, o.name),
            );
            return Some(format!("{name} {why}"));
        }
    }
    None
}

fn content_differs(
    content: &ContentRecord,
    told: &Told,
    claimed: &ReturnRecord,
    native: &NativeReturn,
) -> Option<String> {
    let (bytes, mask) = content.claimed()?;
    if told.bytes.len() < bytes.len() && mask.iter().any(|byte| *byte != 0) {
        return Some("is not there natively".to_owned());
    }
    for (at, (byte, mask)) in bytes.iter().zip(&mask).enumerate() {
        let Some(Some(seen)) = told.bytes.get(at) else { continue };
        if (byte ^ seen) & mask != 0 {
            let (claim, seen) = (shown(&content.bytes), shown(&hex(&told.bytes)));
            return Some(format!("was claimed to be {claim}; natively it is {seen}, which differs at byte {at}"));
        }
    }
    content.pointers.iter().find_map(|pointer| pointer_differs(pointer, told, claimed, native))
}

fn pointer_differs(
    pointer: &AfterPointer,
    told: &Told,
    claimed: &ReturnRecord,
    native: &NativeReturn,
) -> Option<String> {
    let at = usize::try_from(pointer.at).ok()?;
    let bytes: Option<Vec<u8>> = told.bytes.get(at..at + native.word)?.iter().copied().collect();
    let mut word = [0; 8];
    word[..native.word].copy_from_slice(&bytes?);
    let seen = u64::from_le_bytes(word);
    let place = |address: u64| {
        let inside = |(_, told): &(&usize, &Told)| {
            told.address != 0 && (told.address..=told.address + told.bytes.len() as u64).contains(&address)
        };
        match native.objects.iter().find(inside) {
            _ if address == 0 => "null".to_owned(),
            Some((number, told)) => format!("object {number} + {}", address - told.address),
            None => "something else".to_owned(),
        }
    };
    let (is_same, words) = match (&pointer.to, &pointer.function) {
        (Some(to), _) => {
            // Freed memory may be anywhere, even where something new is.
            let address = native.objects.get(&to.object).map(|told| told.address);
            let is_gone = claimed.objects.get(to.object).is_none_or(|object| object.content.is_none());
            let is_same =
                is_gone || address.is_some_and(|address| address != 0 && address.wrapping_add(to.plus) == seen);
            (is_same, format!("object {} + {}", to.object, to.plus))
        }
        (None, Some(function)) => (seen != 0, format!("`{function}`")),
        (None, None) => (seen == 0, "null".to_owned()),
    };
    (!is_same)
        .then(|| format!("was claimed to have a pointer to {words} at offset {at}; natively that is {}", place(seen)))
}

fn hex(bytes: &[Option<u8>]) -> String {
    bytes.iter().map(|byte| byte.map_or_else(|| "??".to_owned(), |byte| format!("{byte:02x}"))).collect()
}

/// The beginning of something long.
fn shown(hex: &str) -> String {
    const MOST: usize = 64;
    if hex.len() <= MOST { format!("0x{hex} in memory") } else { format!("0x{}… in memory", &hex[..MOST]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taw_report::{AfterRecord, ObjectSpot};

    fn content(bytes: &str, mask: &str, pointers: Vec<AfterPointer>) -> ContentRecord {
        ContentRecord { ty: String::new(), bytes: bytes.into(), mask: mask.into(), pointers }
    }

    fn differs(claimed: &ReturnRecord, native: &str) -> Option<String> {
        let native = NativeReturn::parse(native).unwrap();
        claimed.result.as_ref().and_then(|content| content_differs(content, &native.result, claimed, &native))
    }

    #[test]
    fn only_what_is_claimed_is_compared() {
        let claimed = ReturnRecord { result: Some(content("0102", "ff0f", Vec::new())), ..ReturnRecord::default() };
        assert_eq!(differs(&claimed, "word 8 0 \nresult 0 10 0152\n"), None, "a bit outside of the mask");
        assert_eq!(differs(&claimed, "word 8 0 \nresult 0 10 ??02\n"), None, "nobody wrote it");
        assert!(differs(&claimed, "word 8 0 \nresult 0 10 0103\n").unwrap().contains("byte 1"));
        assert!(differs(&claimed, "word 8 0 \nresult 0 10 01\n").unwrap().contains("not there"));
        assert_eq!(NativeReturn::parse(""), None, "the call did not return");
    }

    #[test]
    fn pointers_are_compared_by_where_they_lead() {
        let pointer = |to| AfterPointer { at: 0, to, function: None };
        let claim = |to| ReturnRecord {
            result: Some(content("0000000000000000", "0000000000000000", vec![pointer(to)])),
            objects: vec![AfterRecord { content: Some(content("00", "ff", Vec::new())), found: None }],
            ..ReturnRecord::default()
        };
        let native = |pointer: &str| format!("word 8 0 \nresult 0 10 {pointer}\nobject 0 2000 00\n");
        let into = claim(Some(ObjectSpot { object: 0, plus: 1 }));
        assert_eq!(differs(&into, &native("0120000000000000")), None);
        assert!(differs(&into, &native("0020000000000000")).unwrap().contains("natively that is object 0 + 0"));
        assert!(differs(&into, &native("0000000000000000")).unwrap().contains("natively that is null"));
        assert_eq!(differs(&claim(None), &native("0000000000000000")), None);
        assert!(differs(&claim(None), &native("0120000000000000")).is_some());
    }
}
