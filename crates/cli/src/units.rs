//! Durations and sizes as people write them: `30s`, `5m`, `4G`.

use std::time::Duration;

/// A duration: a number with `ms`, `s`, `m`, `h` or `d`; without a unit, seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let scale = |unit: &str| match unit {
        "ms" => Some(0.001),
        "" | "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        "d" => Some(86400.0),
        _ => None,
    };
    let seconds = scaled(text, scale).ok_or("write a number and ms, s, m, h or d, for example 30s or 1.5h")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "that is longer than Taw can count".to_owned())
}

/// A size in bytes: a number with `K`, `M`, `G` or `T` (powers of 1024); without a unit, bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let scale = |unit: &str| {
        let unit = unit.to_ascii_uppercase();
        let unit = unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit);
        ["", "K", "M", "G", "T"].iter().position(|&known| known == unit).map(|power| 1024f64.powi(power as i32))
    };
    let bytes = scaled(text, scale).ok_or("write a number and K, M, G or T, for example 500M or 4G")?;
    Ok(bytes as u64)
}

/// The number before the unit times what the unit means; `None` if either is not understood.
fn scaled(text: &str, scale: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    Some(number.parse::<f64>().ok()? * scale(unit.trim())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("250 ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("7"), Ok(Duration::from_secs(7)));
        for wrong in ["", "s", "-3s", "3 weeks", "1e3", "."] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("1.5k"), Ok(1536));
        assert_eq!(bytes("10MiB"), Ok(10 << 20));
        assert_eq!(bytes("10MB"), Ok(10 << 20));
        assert_eq!(bytes("17"), Ok(17));
        assert!(bytes("4X").is_err());
    }
}
