//! What a machine offers to confine a program with.

use serde::{Deserialize, Serialize};

/// The cage that a keeper makes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Offer {
    /// The version of Landlock's interface; 0 where there is none.
    pub landlock: u32,
    /// Why there are no namespaces; none where there are.
    pub no_namespaces: Option<String>,
    /// Whether root has become nobody.
    pub is_nobody: bool,
    /// Whether nothing is confined, because the user says so.
    pub is_unconfined: bool,
}

impl Offer {
    /// Whether there are namespaces: then a program may change what it likes in its own folders.
    pub fn has_namespaces(&self) -> bool {
        self.no_namespaces.is_none()
    }

    /// What a program may rightly do elsewhere and cannot do in this cage.
    pub fn refuses(&self) -> Option<&'static str> {
        (!self.is_unconfined && !self.has_namespaces()).then_some(
            "this machine lets Taw make no namespaces, so a native run cannot use sockets, change modes and times of files or write to /tmp",
        )
    }

    /// The cage in words.
    pub fn in_words(&self) -> String {
        if self.is_unconfined {
            return "none: programs under test run as you do".into();
        }
        let landlock = match self.landlock {
            0 => "no Landlock".into(),
            version => format!("Landlock {version}"),
        };
        let namespaces = match &self.no_namespaces {
            None => "namespaces".into(),
            Some(why) => format!("no namespaces ({why})"),
        };
        let nobody = if self.is_nobody { ", as nobody instead of root" } else { "" };
        format!("{namespaces}, {landlock}, filtered system calls{nobody}")
    }
}
