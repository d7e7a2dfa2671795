//! Measurements of one thing, some of which did not end in time: median, semi-interquartile range, outliers, as the tables of
//! "Directed Symbolic Execution" have them.

/// Measurements, those that did not end in time as infinite.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Spread {
    /// The measurements in ascending order.
    values: Vec<f64>,
}

impl Spread {
    /// Of the times that ended and the number of those that did not.
    pub(crate) fn new(mut values: Vec<f64>, timeouts: usize) -> Self {
        values.extend(std::iter::repeat_n(f64::INFINITY, timeouts));
        values.sort_by(f64::total_cmp);
        Spread { values }
    }

    /// The middle; infinite if more than half did not end.
    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Half the distance between the quartiles; infinite if more than a quarter did not end.
    pub(crate) fn siqr(&self) -> f64 {
        let (low, high) = (self.quantile(0.25), self.quantile(0.75));
        if high.is_infinite() { f64::INFINITY } else { (high - low) / 2.0 }
    }

    /// How many lie more than three semi-interquartile ranges outside the quartiles.
    pub(crate) fn outliers(&self) -> usize {
        let far = 3.0 * self.siqr();
        if far.is_infinite() {
            return 0;
        }
        let (low, high) = (self.quantile(0.25) - far, self.quantile(0.75) + far);
        self.values.iter().filter(|value| **value < low || **value > high).count()
    }

    /// How many did not end.
    pub(crate) fn timeouts(&self) -> usize {
        self.values.iter().filter(|value| value.is_infinite()).count()
    }

    /// Those that ended.
    pub(crate) fn ended(&self) -> Vec<f64> {
        self.values.iter().copied().filter(|value| value.is_finite()).collect()
    }

    /// Between two measurements in proportion; beside one that did not end, that.
    fn quantile(&self, share: f64) -> f64 {
        let Some(last) = self.values.len().checked_sub(1) else { return f64::INFINITY };
        let at = share * last as f64;
        let (low, high) = (self.values[at.floor() as usize], self.values[at.ceil() as usize]);
        if low == high { low } else { low + (high - low) * at.fract() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_and_outliers() {
        let spread = Spread::new(vec![3.0, 1.0, 2.0, 4.0, 100.0], 0);
        assert_eq!((spread.median(), spread.siqr(), spread.outliers()), (3.0, 1.0, 1));
    }

    #[test]
    fn what_did_not_end_is_infinite() {
        let half = Spread::new(vec![1.0, 2.0, 3.0], 2);
        assert_eq!((half.median(), half.siqr(), half.timeouts()), (3.0, f64::INFINITY, 2));
        assert_eq!(Spread::new(vec![1.0], 2).median(), f64::INFINITY);
        let one = Spread::new(vec![1.0, 1.0, 1.0, 1.0, 1.0, 1.0], 1);
        assert_eq!((one.siqr(), one.outliers()), (0.0, 1), "a time-out far beyond the quartiles is an outlier");
        assert_eq!(one.ended().len(), 6);
    }
}
