//! Coverage over time, and targets reached over time below it, of one or several runs.

use super::canvas::{Canvas, Scale, WIDTH, colour};

/// One run: points of time in seconds and a value that holds until the next.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Curve {
    /// What the run is called.
    pub name: String,
    /// Instructions covered.
    pub covered: Vec<(f64, f64)>,
    /// Targets reached; empty if there were none.
    pub reached: Vec<(f64, f64)>,
}

/// A picture of runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Curves {
    /// Above the picture.
    pub title: String,
    /// The runs.
    pub curves: Vec<Curve>,
}

const LEFT: f64 = 70.0;
const PANEL: f64 = 200.0;

impl Curves {
    /// The picture.
    pub fn svg(&self) -> String {
        let reached = self.curves.iter().any(|curve| !curve.reached.is_empty());
        let legend = 20.0 * self.curves.len() as f64;
        let height = 60.0 + PANEL + if reached { PANEL + 50.0 } else { 0.0 } + legend + 20.0;
        let mut canvas = Canvas::new(height, &self.title);
        let longest = most(self.curves.iter().flat_map(|c| c.covered.iter().chain(&c.reached)).map(|p| p.0));
        let across = Scale::new(longest, LEFT, WIDTH - 20.0);
        self.panel(&mut canvas, 40.0, across, "instructions covered", |curve| &curve.covered);
        if reached {
            self.panel(&mut canvas, 90.0 + PANEL, across, "targets reached", |curve| &curve.reached);
        }
        for (n, curve) in self.curves.iter().enumerate() {
            let y = height - legend + 20.0 * n as f64;
            canvas.line((LEFT, y - 4.0), (LEFT + 24.0, y - 4.0), colour(n));
            canvas.words((LEFT + 32.0, y), "start", colour(n), &curve.name);
        }
        canvas.finish()
    }

    fn panel(&self, canvas: &mut Canvas, top: f64, across: Scale, what: &str, of: fn(&Curve) -> &Vec<(f64, f64)>) {
        let highest = most(self.curves.iter().flat_map(of).map(|p| p.1));
        let up = Scale::new(highest, top + PANEL, top);
        canvas.axis_below(across, top + PANEL, " s");
        canvas.axis_left(up, LEFT);
        canvas.words((LEFT + 6.0, top + 2.0), "start", "black", what);
        for (n, curve) in self.curves.iter().enumerate() {
            let points: Vec<(f64, f64)> = of(curve).iter().map(|&(x, y)| (across.at(x), up.at(y))).collect();
            if !points.is_empty() {
                canvas.steps(&points, colour(n));
            }
        }
    }
}

fn most(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_has_a_line_in_each_panel_it_has_points_for() {
        let run = |name: &str, reached: &[(f64, f64)]| Curve {
            name: name.into(),
            covered: vec![(0.0, 1.0), (2.0, 9.0)],
            reached: reached.to_vec(),
        };
        let text = Curves { title: "t".into(), curves: vec![run("a<b", &[(1.0, 1.0)]), run("c", &[])] }.svg();
        assert_eq!(text.matches("<path").count(), 3);
        assert!(text.contains("a&lt;b") && text.contains("targets reached") && text.ends_with("</svg>\n"));
    }
}
