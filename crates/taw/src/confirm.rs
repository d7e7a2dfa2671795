//! Confirms findings by native runs, beside the exploration that goes on.
//!
//! A finding is asked about as soon as it is written. What has no answer when the patience is over is not confirmed, and says why.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use taw_engine::FindingKind;
use taw_native::{MISSED, ReplayVerdict, Replayed, is_of_memory};
use taw_report::{Confirmed, OutcomeRecord, OutputDir, TestFile};

use crate::Error;
use crate::prepared::Prepared;
use crate::replay::NativeProgram;

/// The number of a finding, and its test.
type Question = (usize, PathBuf);
type Answers = Vec<(Question, TestFile, Replayed)>;

/// A finding that a native run contradicts: a defect of Taw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The test of it.
    pub test: PathBuf,
    /// How the run contradicts it.
    pub why: String,
}

/// A thread that replays the tests of findings.
pub(crate) struct Confirmer {
    questions: Sender<Question>,
    thread: JoinHandle<Result<(NativeProgram, Answers), Error>>,
    /// The test that was asked about, of each finding.
    asked: Vec<String>,
}

impl Confirmer {
    /// Starts the thread, which builds nothing before there is a finding.
    pub(crate) fn new(native: NativeProgram) -> Self {
        let (questions, asked) = channel();
        let thread = thread::spawn(move || answer(native, &asked));
        Confirmer { questions, thread, asked: Vec::new() }
    }

    /// Asks about the findings that are new, or have another test now.
    pub(crate) fn look_at(&mut self, out: &OutputDir<'_>) {
        self.asked.resize(out.findings().len(), String::new());
        for (index, (finding, asked)) in out.findings().iter().zip(&mut self.asked).enumerate() {
            if *asked != finding.test {
                // Fails only if the thread has, which is said at the end.
                let _ = self.questions.send((index, out.dir().join(&finding.test)));
                asked.clone_from(&finding.test);
            }
        }
    }

    /// Waits for the answers, and marks the findings. What a native run does not show of memory, the engine must.
    ///
    /// # Errors
    /// If there is no compiler.
    pub(crate) fn finish(
        mut self,
        out: &mut OutputDir<'_>,
        prepared: &Prepared<'_>,
    ) -> Result<(NativeProgram, Vec<Contradiction>), Error> {
        self.look_at(out);
        drop(self.questions);
        let (native, answers) = self.thread.join().map_err(|_| Error::Confirmer)??;
        let mut contradictions = Vec::new();
        for ((index, test), file, replayed) in answers {
            let Replayed { verdict, why, .. } = prepared.settle(&file, replayed);
            let confirmed = match verdict {
                ReplayVerdict::Same => Confirmed::Yes,
                ReplayVerdict::NotConfirmed => Confirmed::No,
                // The test has just been written for this very program.
                ReplayVerdict::Diverged | ReplayVerdict::OtherProgram => Confirmed::Diverged,
            };
            if confirmed == Confirmed::Diverged {
                contradictions.push(Contradiction { test, why: why.clone() });
            }
            out.confirm(index, confirmed, why);
        }
        Ok((native, contradictions))
    }
}

impl Prepared<'_> {
    /// What a native run, and where it shows nothing the engine itself, says of a test. Sanitizers miss some errors of memory: those the
    /// engine must meet with the inputs as constants.
    pub fn settle(&self, test: &TestFile, replayed: Replayed) -> Replayed {
        match may_be_unseen(test, &replayed).then(|| self.meets(test)).flatten() {
            None => replayed,
            Some(met) => with_what_the_engine_met(test, replayed, met),
        }
    }
}

fn with_what_the_engine_met(test: &TestFile, Replayed { why, native, .. }: Replayed, met: bool) -> Replayed {
    let excuse = test.given.as_ref().and_then(|given| given.excuses.first());
    let (verdict, why) = match (met, excuse) {
        // Objects of a run with constants may lie elsewhere, too.
        (false, Some(excuse)) => (ReplayVerdict::NotConfirmed, format!("{excuse}; {why}")),
        (false, None) => {
            (ReplayVerdict::Diverged, format!("with its inputs as constants Taw itself does not meet the error; {why}"))
        }
        (true, _) => {
            (ReplayVerdict::NotConfirmed, format!("{why}; with its inputs as constants Taw meets the error too"))
        }
    };
    Replayed { verdict, why, native }
}

/// Whether a native run did not show an error, and need not: it ended as if there were none, or failed later, and the error is one of memory.
pub fn may_be_unseen(test: &TestFile, replayed: &Replayed) -> bool {
    let unnoticed = replayed.why.starts_with(MISSED);
    let silent = unnoticed || replayed.native.as_ref().is_some_and(|run| run.signal.is_none() && run.error.is_none());
    let kind = match &test.outcome {
        OutcomeRecord::Finding { finding, .. } => FindingKind::named(finding),
        _ => None,
    };
    let of_memory = kind.is_some_and(|kind| is_of_memory(kind) || kind == FindingKind::Leak);
    replayed.verdict != ReplayVerdict::Same && silent && of_memory
}

fn answer(mut native: NativeProgram, questions: &Receiver<Question>) -> Result<(NativeProgram, Answers), Error> {
    let mut answers = Vec::new();
    for (index, path) in questions {
        if let Ok(test) = TestFile::read(&path) {
            let replayed = native.replay(&test)?;
            answers.push(((index, path), test, replayed));
        }
    }
    Ok((native, answers))
}
