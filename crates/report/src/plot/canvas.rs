//! The parts that all pictures share: a frame with axes, scales, colours, and text that is safe in SVG.

use std::fmt::Write as _;

/// Width of a picture, in its own units.
pub(super) const WIDTH: f64 = 760.0;

/// Colours that can be told apart, also by most colour-blind people (Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// The colour of the n-th thing.
pub(super) fn colour(n: usize) -> &'static str {
    COLOURS[n % COLOURS.len()]
}

/// From values to positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    values: (f64, f64),
    places: (f64, f64),
}

impl Scale {
    /// `0..=most` to `from..=to`; a `most` of nothing counts as one.
    pub(super) fn new(most: f64, from: f64, to: f64) -> Self {
        let most = if most.is_finite() && most > 0.0 { most } else { 1.0 };
        Scale { values: (0.0, most), places: (from, to) }
    }

    /// Where a value is.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = (value - self.values.0) / (self.values.1 - self.values.0);
        self.places.0 + share * (self.places.1 - self.places.0)
    }

    /// About five round values.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let rough = self.values.1 / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].iter().map(|n| n * power).find(|step| *step >= rough).unwrap_or(power * 10.0);
        let count = (self.values.1 / step).floor() as usize;
        (0..=count).map(|n| n as f64 * step).collect()
    }
}

/// A picture being drawn.
#[derive(Debug)]
pub(super) struct Canvas {
    text: String,
}

impl Canvas {
    pub(super) fn new(height: f64, title: &str) -> Self {
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let _ = writeln!(text, "<text x=\"12\" y=\"20\" font-size=\"15\">{}</text>", escaped(title));
        Canvas { text }
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(
            self.text,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
        );
    }

    /// Steps from point to point: a value holds until the next.
    pub(super) fn steps(&mut self, points: &[(f64, f64)], colour: &str) {
        let mut path = String::new();
        for (n, (x, y)) in points.iter().enumerate() {
            let _ = if n == 0 { write!(path, "M{x:.1} {y:.1}") } else { write!(path, "H{x:.1}V{y:.1}") };
        }
        let _ = writeln!(self.text, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>");
    }

    pub(super) fn dot(&mut self, at: (f64, f64), colour: &str, filled: bool) {
        let fill = if filled { colour } else { "white" };
        let _ = writeln!(
            self.text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{fill}\" stroke=\"{colour}\"/>",
            at.0, at.1
        );
    }

    /// Text; `anchor` is `start`, `middle` or `end`.
    pub(super) fn words(&mut self, at: (f64, f64), anchor: &str, colour: &str, text: &str) {
        let _ = writeln!(
            self.text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{}</text>",
            at.0,
            at.1,
            escaped(text)
        );
    }

    /// Ticks and their values below `y`.
    pub(super) fn axis_below(&mut self, scale: Scale, y: f64, unit: &str) {
        self.line((scale.places.0, y), (scale.places.1, y), "black");
        for tick in scale.ticks() {
            let x = scale.at(tick);
            self.line((x, y), (x, y + 4.0), "black");
            self.words((x, y + 17.0), "middle", "black", &format!("{}{unit}", number(tick)));
        }
    }

    /// Ticks and their values left of `x`.
    pub(super) fn axis_left(&mut self, scale: Scale, x: f64) {
        self.line((x, scale.places.0), (x, scale.places.1), "black");
        for tick in scale.ticks() {
            let y = scale.at(tick);
            self.line((x - 4.0, y), (x, y), "black");
            self.words((x - 7.0, y + 4.0), "end", "black", &number(tick));
        }
    }

    pub(super) fn finish(self) -> String {
        self.text + "</svg>\n"
    }
}

/// A value with as many digits as it needs.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_scale() {
        assert_eq!(Scale::new(10.0, 0.0, 1.0).ticks(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(Scale::new(0.7, 0.0, 1.0).ticks().len(), 4);
        assert_eq!(Scale::new(0.0, 0.0, 100.0).at(1.0), 100.0, "an empty scale still has a place for everything");
    }

    #[test]
    fn text_cannot_break_the_picture() {
        assert_eq!(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
        assert_eq!((number(2.0), number(0.25)), ("2".to_owned(), "0.25".to_owned()));
    }
}
