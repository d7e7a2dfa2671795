//! Confirms findings by native runs, beside the exploration that goes on.
//!
//! A finding is asked about as soon as it is written. What has no answer when the patience is over is not confirmed, and says why.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use taw_report::native::{Replayed, Verdict};
use taw_report::{Confirmed, OutputDir, TestFile};

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

    /// Waits for the answers, and marks the findings.
    ///
    /// # Errors
    /// If there is no compiler.
    pub(crate) fn finish(mut self, out: &mut OutputDir<'_>) -> Result<Native, Failure> {
        self.look_at(out);
        drop(self.questions);
        let gone = || Failure::Message("the thread that confirms findings has failed".into());
        let (native, answers) = self.thread.join().map_err(|_| gone())??;
        for ((index, path), Replayed { verdict, why, .. }) in answers {
            let confirmed = match verdict {
                Verdict::Same => Confirmed::Yes,
                Verdict::NotConfirmed => Confirmed::No,
                // The test has just been written for this very program.
                Verdict::Diverged | Verdict::OtherProgram => Confirmed::Diverged,
            };
            if confirmed == Confirmed::Diverged {
                warn_of(&path, &why);
            }
            out.confirm(index, confirmed, why);
        }
        Ok(native)
    }
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
