//! Pictures as SVG, without a library: curves over time, and beeswarms of measurements.
//!
//! Boundary: numbers in, text out. What is drawn has the same scale in all parts of a picture.

mod beeswarm;
mod canvas;
mod curves;

pub use beeswarm::{Beeswarm, Swarm};
pub use curves::{Curve, Curves};
