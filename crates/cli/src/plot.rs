//! `--plot`: what this run, and earlier ones, covered and reached over time.

use std::path::Path;

use serde::{Deserialize, Serialize};
use taw_explore::{Point, Summary};
use taw_files::write_atomically;
use taw_report::plot::{Curve, Curves};

use crate::args::RunArgs;
use crate::failure::Failure;

/// A point as `stats.json` keeps it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct PointRow {
    pub time_s: f64,
    pub covered: usize,
    pub reached: usize,
}

impl From<&Point> for PointRow {
    fn from(point: &Point) -> Self {
        PointRow { time_s: point.time.as_secs_f64(), covered: point.covered, reached: point.reached }
    }
}

/// Writes the picture, if it is asked for.
pub(crate) fn write(args: &RunArgs, summary: &Summary) -> Result<(), Failure> {
    let Some(file) = &args.output.plot else { return Ok(()) };
    let mut curves = vec![curve("this run".into(), &rows(summary))];
    for dir in &args.output.plot_with {
        curves.push(curve(dir.display().to_string(), &earlier(dir)?));
    }
    let text = Curves { title: "Coverage over time".into(), curves }.svg();
    write_atomically(file, text.as_bytes())
        .map_err(|error| Failure::Message(format!("cannot write the picture `{}`: {error}", file.display())))
}

/// The points of a run.
pub(crate) fn rows(summary: &Summary) -> Vec<PointRow> {
    summary.curve.iter().map(PointRow::from).collect()
}

fn curve(name: String, rows: &[PointRow]) -> Curve {
    let of = |value: fn(&PointRow) -> usize| rows.iter().map(|row| (row.time_s, value(row) as f64)).collect();
    let reached: Vec<(f64, f64)> = of(|row| row.reached);
    let any = reached.iter().any(|point| point.1 > 0.0);
    Curve { name, covered: of(|row| row.covered), reached: if any { reached } else { Vec::new() } }
}

#[derive(Deserialize)]
struct Kept {
    curve: Vec<PointRow>,
}

fn earlier(dir: &Path) -> Result<Vec<PointRow>, Failure> {
    let path = dir.join("stats.json");
    let text = taw_files::read_regular(&path, 256 << 20).map_err(|error| {
        Failure::Message(format!("cannot read `{}`: {error}; name an output directory of Taw", path.display()))
    })?;
    let kept: Kept = serde_json::from_slice(&text)
        .map_err(|error| Failure::Message(format!("`{}` has no curve: {error}", path.display())))?;
    Ok(kept.curve)
}
