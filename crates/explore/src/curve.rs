//! What a run has covered and reached, over time: points for a plot, dense at the start and sparse later.

use std::time::Duration;

/// The state of a run at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// Since the start.
    pub time: Duration,
    /// Instructions of the user's code that were executed.
    pub covered: usize,
    /// Goals reached.
    pub reached: usize,
}

/// Points so far.
#[derive(Debug, Default)]
pub(crate) struct CurvePoints {
    points: Vec<Point>,
}

/// The longest time between two looks.
const LONGEST: Duration = Duration::from_millis(500);

impl CurvePoints {
    /// Whether it is time for another look: a twentieth of the run later than the last, at most half a second.
    pub(crate) fn is_due(&self, now: Duration) -> bool {
        self.points
            .last()
            .is_none_or(|last| now > last.time + (last.time / 20).clamp(Duration::from_millis(1), LONGEST))
    }

    /// Adds a point; one that says nothing new replaces the last, if that said nothing new either.
    pub(crate) fn add(&mut self, time: Duration, covered: usize, reached: usize) {
        let point = Point { time, covered, reached };
        let same = |other: &Point| (other.covered, other.reached) == (covered, reached);
        match &mut self.points[..] {
            [.., before, last] if same(before) && same(last) => *last = point,
            _ => self.points.push(point),
        }
    }

    pub(crate) fn into_points(self) -> Vec<Point> {
        self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_stretch_has_two_ends_only() {
        let mut curve = CurvePoints::default();
        for (ms, covered) in [(0, 1), (10, 1), (20, 1), (30, 2), (40, 2)] {
            assert!(curve.is_due(Duration::from_millis(ms + 1)));
            curve.add(Duration::from_millis(ms), covered, 0);
        }
        let points: Vec<_> = curve.into_points().iter().map(|p| (p.time.as_millis(), p.covered)).collect();
        assert_eq!(points, [(0, 1), (20, 1), (30, 2), (40, 2)]);
    }
}
