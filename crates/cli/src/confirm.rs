//! Confirms findings by native runs, beside the exploration that goes on.
//!
//! A finding is asked about as soon as it is written. What has no answer when the patience is over is not confirmed, and says why.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use taw_engine::FindingKind;
use taw_native::{Replayed, Verdict, is_of_memory};
use taw_report::{Confirmed, FindingRecord, OutputDir, TestFile};

use crate::failure::Failure;
use crate::replay::{Native, warn_of};

/// The number of a finding, and its test.
type Question = (usize, PathBuf);
type Answers = Vec<(Question, Replayed)>;

/// A thread that replays the tests of findings.
pub(crate) struct Confirmer {
    questions: Sender<Question>,
    thread: JoinHandle<Result<(Native, Answers), Failure>>,
    asked: usize,
}

impl Confirmer {
    /// Starts the thread, which builds nothing before there is a finding.
    pub(crate) fn new(native: Native) -> Self {
        let (questions, asked) = channel();
        let thread = thread::spawn(move || answer(native, &asked));
        Confirmer { questions, thread, asked: 0 }
    }

    /// Asks about the findings that are new.
    pub(crate) fn look_at(&mut self, out: &OutputDir<'_>) {
        for (index, finding) in out.findings().iter().enumerate().skip(self.asked) {
            // Fails only if the thread has, which is said at the end.
            let _ = self.questions.send((index, out.dir().join(&finding.test)));
            self.asked = index + 1;
        }
    }

    /// Waits for the answers, and marks the findings. What a native run does not show of memory, `meets` must.
    ///
    /// # Errors
    /// If there is no compiler.
    pub(crate) fn finish(
        mut self,
        out: &mut OutputDir<'_>,
        meets: impl Fn(&Path, &FindingRecord) -> Option<bool>,
    ) -> Result<Native, Failure> {
        self.look_at(out);
        drop(self.questions);
        let gone = || Failure::Message("the thread that confirms findings has failed".into());
        let (native, answers) = self.thread.join().map_err(|_| gone())??;
        for ((index, path), replayed) in answers {
            let (confirmed, why) = judged(replayed, &out.findings()[index], |finding| meets(&path, finding));
            if confirmed == Confirmed::Diverged {
                warn_of(&path, &why);
            }
            out.confirm(index, confirmed, why);
        }
        Ok(native)
    }
}

/// What a native run, and where it shows nothing Taw itself, says of a finding.
fn judged(
    Replayed { verdict, why, native }: Replayed,
    finding: &FindingRecord,
    meets: impl Fn(&FindingRecord) -> Option<bool>,
) -> (Confirmed, String) {
    let silent = native.is_some_and(|run| run.signal.is_none() && run.error.is_none());
    let unseen = verdict != Verdict::Same && silent && may_be_unseen(finding);
    match (verdict, unseen.then(|| meets(finding)).flatten()) {
        (_, Some(false)) => {
            let why = format!("with its inputs as constants Taw itself does not meet the error; {why}");
            (Confirmed::Diverged, why)
        }
        (_, Some(true)) => (Confirmed::No, format!("{why}; with its inputs as constants Taw meets the error too")),
        (Verdict::Same, None) => (Confirmed::Yes, why),
        (Verdict::NotConfirmed, None) => (Confirmed::No, why),
        // The test has just been written for this very program.
        (Verdict::Diverged | Verdict::OtherProgram, None) => (Confirmed::Diverged, why),
    }
}

/// Whether a native run need not show an error of that kind.
fn may_be_unseen(finding: &FindingRecord) -> bool {
    let kind = FindingKind::named(&finding.kind);
    kind.is_some_and(|kind| is_of_memory(kind) || kind == FindingKind::Leak)
}

fn answer(mut native: Native, questions: &Receiver<Question>) -> Result<(Native, Answers), Failure> {
    let mut answers = Vec::new();
    for (index, path) in questions {
        if let Ok(test) = TestFile::read(&path) {
            let replayed = native.replay(&test)?;
            answers.push(((index, path), replayed));
        }
    }
    Ok((native, answers))
}
