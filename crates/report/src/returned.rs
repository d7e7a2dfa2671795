//! What a call of the entry gave, as a test stores it: its result, and the objects afterwards.
//!
//! `result` and `objects` are what native runs are compared with; `shown`, `declared` and `checks` are the same for people and for C (`c/`).
//! Invariant (`check`): masks are as long as bytes, pointers lead into objects of the list, and one that the call did not have says
//! which pointer led to it, in an object before it.

use serde::{Deserialize, Serialize};
use taw_engine::{CallOutcome, ObjectFate, OutcomeContent, OutcomeObject, OutcomePointer};

use crate::c::Afterwards;
use crate::call::ObjectSpot;
use crate::place::Places;
use crate::test_file::{from_hex, to_hex};

/// What a call gave.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ReturnRecord {
    /// Its result; absent if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ContentRecord>,
    /// The objects of the call by their numbers, then others that the result and these lead to.
    pub objects: Vec<AfterRecord>,
    /// What there is to say, for people.
    pub shown: Vec<String>,
    /// The declaration in C of the variable that gets the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<String>,
    /// Conditions in C that hold afterwards.
    pub checks: Vec<String>,
}

/// An object afterwards.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AfterRecord {
    /// What it holds; absent if it was freed or is not the caller's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<ContentRecord>,
    /// The first pointer to it, if the call did not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundRecord>,
}

/// The pointer by which an object is found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FoundRecord {
    /// The number of the object that has it; absent if the result has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<usize>,
    /// Where in it.
    pub at: u64,
    /// How many bytes into the object it points.
    pub plus: u64,
}

/// Bytes with what is claimed of them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ContentRecord {
    /// The type of an element as C writes it, or empty.
    #[serde(rename = "type")]
    pub ty: String,
    /// The bytes in hexadecimal.
    pub bytes: String,
    /// Which of their bits are claimed, in hexadecimal: no padding, no pointers, nothing that nobody wrote.
    pub mask: String,
    /// The pointers in it of which something is claimed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pointers: Vec<AfterPointer>,
}

/// A pointer afterwards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AfterPointer {
    /// Its offset in bytes.
    pub at: u64,
    /// Where it points; absent if that is nowhere or a function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<ObjectSpot>,
    /// The function that it points at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

impl ReturnRecord {
    /// The stored form of what a call gave.
    pub(crate) fn new(outcome: &CallOutcome, said: Afterwards, places: &Places<'_>) -> Self {
        let object = |object: &OutcomeObject| AfterRecord {
            content: match &object.fate {
                ObjectFate::Holds(content) => Some(ContentRecord::new(content, places)),
                ObjectFate::Freed | ObjectFate::Unseen => None,
            },
            found: object.found.as_ref().map(|found| FoundRecord {
                holder: found.holder,
                at: found.at,
                plus: found.plus,
            }),
        };
        ReturnRecord {
            result: outcome.result.as_ref().map(|content| ContentRecord::new(content, places)),
            objects: outcome.objects.iter().map(object).collect(),
            shown: said.shown,
            declared: said.result,
            checks: said.checks,
        }
    }

    /// Whether it makes sense: what a hand or another tool may have got wrong. The call has `known` objects.
    pub(crate) fn check(&self, known: usize) -> Result<(), String> {
        let contents = self.objects.iter().filter_map(|object| object.content.as_ref());
        for content in self.result.iter().chain(contents) {
            content.check(self.objects.len())?;
        }
        for (number, object) in self.objects.iter().enumerate() {
            let is_found = object.found.as_ref().is_some_and(|found| found.holder.is_none_or(|holder| holder < number));
            if number >= known && !is_found {
                return Err("an object that the call leads to is found by no pointer".to_owned());
            }
        }
        Ok(())
    }

    /// What the replay library needs to know to read what a call has left; the call has `known` objects.
    pub fn replay_lines(&self, known: usize) -> String {
        let mut text = String::new();
        for (number, object) in self.objects.iter().enumerate() {
            match (&object.content, &object.found) {
                (None, _) => text += &format!("#gone {number}\n"),
                (Some(content), Some(found)) if number >= known => {
                    let holder = found.holder.map_or(-1, |holder| i64::try_from(holder).unwrap_or(-1));
                    let size = content.bytes.len() / 2;
                    text += &format!("#found {number} {holder} {} {} {size}\n", found.at, found.plus);
                }
                _ => {}
            }
        }
        text
    }
}

impl ContentRecord {
    fn new(content: &OutcomeContent, places: &Places<'_>) -> Self {
        let pointer = |(at, to): &(u64, OutcomePointer)| AfterPointer {
            at: *at,
            to: match to {
                OutcomePointer::Object(object, plus) => Some(ObjectSpot { object: *object, plus: *plus }),
                _ => None,
            },
            function: match to {
                OutcomePointer::Function(name) => Some(name.clone()),
                _ => None,
            },
        };
        ContentRecord {
            ty: content.element.map(|ty| places.program().types.spelled(ty)).unwrap_or_default(),
            bytes: to_hex(&content.bytes),
            mask: to_hex(&content.mask),
            pointers: content.pointers.iter().map(pointer).collect(),
        }
    }

    /// The bytes and their mask.
    pub fn claimed(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        from_hex(&self.bytes).zip(from_hex(&self.mask)).filter(|(bytes, mask)| bytes.len() == mask.len())
    }

    fn check(&self, objects: usize) -> Result<(), String> {
        let (bytes, _) = self.claimed().ok_or("what a call gives is not hexadecimal")?;
        let fits =
            |pointer: &AfterPointer| pointer.at < bytes.len() as u64 && pointer.to.is_none_or(|to| to.object < objects);
        match self.pointers.iter().all(fits) {
            true => Ok(()),
            false => Err("a pointer that a call gives leads out of the test's objects".to_owned()),
        }
    }
}
