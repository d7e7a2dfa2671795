//! A beeswarm: every measurement is a dot, beside its like where they would overlap; the median is a line.

use super::canvas::{Canvas, Scale, WIDTH, colour};

/// The measurements of one row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Swarm {
    /// What was measured.
    pub name: String,
    /// Measurements that ended.
    pub values: Vec<f64>,
    /// How many did not end in time; they are hollow dots at the limit.
    pub timeouts: usize,
    /// The middle one, if it ended.
    pub median: Option<f64>,
}

/// A picture of rows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Beeswarm {
    /// Above the picture.
    pub title: String,
    /// The time limit.
    pub limit: f64,
    /// The rows, from the top.
    pub swarms: Vec<Swarm>,
}

const LEFT: f64 = 230.0;
const ROW: f64 = 44.0;
/// Size of a dot, with the space around it.
const DOT: f64 = 6.5;

impl Beeswarm {
    /// The picture.
    pub fn svg(&self) -> String {
        let bottom = 40.0 + ROW * self.swarms.len() as f64;
        let mut canvas = Canvas::new(bottom + 40.0, &self.title);
        let longest = self.swarms.iter().flat_map(|swarm| swarm.values.iter().copied()).fold(0.0, f64::max);
        let timed_out = self.swarms.iter().any(|swarm| swarm.timeouts > 0);
        let across = Scale::new(if timed_out { self.limit.max(longest) } else { longest }, LEFT, WIDTH - 30.0);
        canvas.axis_below(across, bottom, " s");
        for (n, swarm) in self.swarms.iter().enumerate() {
            let middle = 40.0 + ROW * (n as f64 + 0.5);
            canvas.words((LEFT - 12.0, middle + 4.0), "end", "black", &swarm.name);
            let mut dots: Vec<(f64, bool)> = swarm.values.iter().map(|value| (across.at(*value), true)).collect();
            dots.extend((0..swarm.timeouts).map(|_| (across.at(self.limit), false)));
            for ((x, filled), offset) in dots.iter().zip(offsets(&dots)) {
                canvas.dot((*x, middle + offset), colour(n), *filled);
            }
            if let Some(median) = swarm.median {
                let x = across.at(median);
                canvas.line((x, middle - ROW / 2.5), (x, middle + ROW / 2.5), "black");
            }
        }
        canvas.finish()
    }
}

/// For each dot how far it is moved off the middle so that none covers another, as far as the row is high.
fn offsets(dots: &[(f64, bool)]) -> Vec<f64> {
    let mut placed: Vec<(f64, f64)> = Vec::new();
    let free = |x: f64, y: f64, placed: &[(f64, f64)]| {
        placed.iter().all(|(a, b)| (a - x).powi(2) + (b - y).powi(2) >= DOT * DOT)
    };
    for (x, _) in dots {
        let most = (ROW / 2.0 / DOT) as i32;
        // The middle first, then alternately above and below.
        let tries = (0..=2 * most).map(|n| f64::from((n + 1) / 2) * DOT * if n % 2 == 0 { 1.0 } else { -1.0 });
        let y = tries.into_iter().find(|y| free(*x, *y, &placed)).unwrap_or(0.0);
        placed.push((*x, y));
    }
    placed.into_iter().map(|(_, y)| y).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_that_would_overlap_are_moved_apart() {
        let moved = offsets(&[(10.0, true), (10.0, true), (10.0, true), (100.0, true)]);
        assert_eq!(moved, [0.0, -DOT, DOT, 0.0]);
    }

    #[test]
    fn every_measurement_is_a_dot_and_timeouts_are_hollow() {
        let swarm = Swarm { name: "DFS".into(), values: vec![1.0, 2.0], timeouts: 1, median: Some(2.0) };
        let text = Beeswarm { title: "t".into(), limit: 10.0, swarms: vec![swarm] }.svg();
        assert_eq!(text.matches("<circle").count(), 3);
        assert_eq!(text.matches("fill=\"white\" stroke").count(), 1);
    }
}
