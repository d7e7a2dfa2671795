//! `--trace`: the runs of concolic testing and what was asked to turn decisions, in their order (figures 2 and 3 of the IPPC paper).

use std::io::{self, Write};

use taw_explore::ConcolicEvent;
use taw_ir::Layout;
use taw_report::in_c;

use crate::style::BOLD;
use crate::terminal;

/// Shows them on standard error: standard output may be a document's.
pub(crate) fn show(trace: &[ConcolicEvent], layout: &Layout) -> io::Result<()> {
    let mut out = terminal::stderr();
    let mut number = 0;
    for event in trace {
        match event {
            ConcolicEvent::Turn(decision) => writeln!(out, "  turn decision {decision}")?,
            ConcolicEvent::Call { conditions, answer } => {
                let answer = match answer {
                    Some(true) => "satisfiable",
                    Some(false) => "a contradiction",
                    None => "no answer",
                };
                let conditions =
                    if *conditions == 1 { "1 condition".to_owned() } else { format!("{conditions} conditions") };
                writeln!(out, "    solver call with {conditions}: {answer}")?;
            }
            ConcolicEvent::Run { inputs, conditions, predicted } => {
                number += 1;
                let values: Vec<String> = inputs.iter().map(|i| format!("{} = {}", i.name, in_c(i, layout))).collect();
                let went = if *predicted { "" } else { ", not the way that was asked for" };
                writeln!(out, "{BOLD}run {number}{BOLD:#} [{}]: {conditions} conditions{went}", values.join(", "))?;
            }
        }
    }
    out.flush()
}
