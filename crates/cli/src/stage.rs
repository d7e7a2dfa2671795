//! `taw stage`: the structures of which an invariant holds, into a file.

use std::io::Write;
use std::time::Instant;

use taw::StageRequest;
use taw_files::write_atomically;

use crate::failure::Failure;
use crate::prepare;
use crate::progress::ProgressLine;
use crate::stage_args::StageArgs;
use crate::style::{BOLD, WARNING};
use crate::terminal::Within;

/// Makes a stage.
pub(crate) fn stage(out: &mut impl Write, args: &mut StageArgs) -> Result<(), Failure> {
    let request = StageRequest {
        invariant: args.repok.clone(),
        ty: args.ty.clone(),
        nodes: args.max_nodes,
        split: args.split.clone(),
    };
    args.run.entry = vec![args.repok.clone()];
    let session = prepare::session(&args.run, Vec::new())?;
    let began = Instant::now();
    let mut progress = ProgressLine::new(&args.run)?;
    let made = session.stage(&request, &mut |snapshot| progress.show(snapshot, 0));
    progress.clear();
    let stage = made?;
    let text = stage.text();
    write_atomically(&args.stage_file, text.as_bytes())
        .map_err(|error| Failure::Message(format!("cannot write `{}`: {error}", args.stage_file.display())))?;
    let (valid, explored) = (stage.stage.structures.len(), stage.head.explored);
    writeln!(
        out,
        "{BOLD}{valid} structures{BOLD:#} of which `{}` holds, out of {explored} paths, in {:.2} s: {} ({} bytes)",
        Within(&stage.head.invariant),
        began.elapsed().as_secs_f64(),
        Within(&args.stage_file.display().to_string()),
        text.len()
    )?;
    match &stage.head.not_tried[..] {
        [] => writeln!(out, "These are all: what is concluded from them holds of every structure that satisfies it.")?,
        cut => {
            for why in cut {
                writeln!(out, "{WARNING}not all{WARNING:#}: {}", Within(why))?;
            }
        }
    }
    Ok(())
}
