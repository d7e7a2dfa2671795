//! The colours, in one place. Streams of `anstream` drop them where they are not wanted (`NO_COLOR`, pipes, files).

use anstyle::AnsiColor;

use crate::terminal::Style;

/// An error of the program under test, or of Taw.
pub(crate) const ERROR: Style = Style(AnsiColor::Red.on_default().bold());
/// All is well.
pub(crate) const GOOD: Style = Style(AnsiColor::Green.on_default().bold());
/// A caveat.
pub(crate) const WARNING: Style = Style(AnsiColor::Yellow.on_default().bold());
/// What the eye should find.
pub(crate) const BOLD: Style = Style(anstyle::Style::new().bold());
/// Lines around source text.
pub(crate) const FRAME: Style = Style(AnsiColor::Blue.on_default().bold());
/// The caret.
pub(crate) const ACCENT: Style = Style(AnsiColor::Red.on_default().bold());
