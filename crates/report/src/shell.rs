//! A test as a person types it: words that a shell takes back, byte by byte.
//!
//! Words with bytes that no terminal shows are written as `$'…'`, which bash, zsh and POSIX 2024 know; content of files and of
//! standard input as `printf`, which every shell knows.

use taw_engine::Given;

/// A word as a shell takes it back.
pub fn quoted(word: &[u8]) -> String {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./=,:+@%".contains(b);
    if !word.is_empty() && word.iter().all(plain) {
        return String::from_utf8_lossy(word).into_owned();
    }
    match str::from_utf8(word) {
        Ok(text) if !text.chars().any(char::is_control) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => format!("$'{}'", escaped(word)),
    }
}

/// What a person types to start a program with what a test gives it: commands, one per line. `program` is how it is called.
pub fn command_lines(given: &Given, program: &str) -> Vec<String> {
    let write = |(path, content): &(String, Vec<u8>)| {
        let folder = path.rsplit_once('/').map(|(folder, _)| folder).filter(|folder| !folder.is_empty());
        let made = folder.map_or(String::new(), |folder| format!("mkdir -p {} && ", quoted(folder.as_bytes())));
        format!("{made}{} > {}", printf(content), quoted(path.as_bytes()))
    };
    let mut lines: Vec<String> = given.files.iter().map(write).collect();
    let mut words = Vec::new();
    if !given.stdin.is_empty() {
        words.push(printf(&given.stdin) + " |");
    }
    if !given.env.is_empty() {
        words.push("env -i".to_owned());
        words.extend(given.env.iter().map(|(name, value)| quoted(&[name, &b"="[..], value].concat())));
    }
    words.push(quoted(program.as_bytes()));
    words.extend(given.args.iter().map(|arg| quoted(arg)));
    if given.stdin.is_empty() {
        words.push("</dev/null".to_owned());
    }
    lines.push(words.join(" "));
    lines
}

/// A `printf` that writes exactly these bytes.
fn printf(bytes: &[u8]) -> String {
    let format = escaped(bytes).replace('%', "%%").replace(r"\'", r"\047");
    // What begins with a dash would be an option.
    let format = format.strip_prefix('-').map_or(format.clone(), |rest| format!(r"\055{rest}"));
    format!("printf '{format}'")
}

/// Bytes within quotes where backslashes are read: what is not plain text has three octal digits.
fn escaped(bytes: &[u8]) -> String {
    let byte = |&byte: &u8| match byte {
        b'\n' => r"\n".to_owned(),
        b'\t' => r"\t".to_owned(),
        b'\\' | b'\'' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    bytes.iter().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Whatever bytes there are, bash gives them back.
    #[test]
    fn a_shell_gives_back_what_was_quoted() {
        let all: Vec<u8> = (1..=255).collect();
        for word in [&all[..], b"plain", b"", b"it's", b"a b", b"caf\xc3\xa9", b"\n", b"-n", b"%s\\n", b"\xff1"] {
            let script = format!("printf '%s' {}", quoted(word));
            let output = Command::new("bash").args(["-c", &script]).output().unwrap();
            assert_eq!(output.stdout, word, "{script}");
        }
        for bytes in [&[0, 1, 2, b'3', 0xff][..], &all, b"100%\\'", b"-e", b""] {
            let output = Command::new("sh").args(["-c", &printf(bytes)]).output().unwrap();
            assert_eq!(output.stdout, bytes, "{}", printf(bytes));
        }
    }

    #[test]
    fn a_command_line_has_files_first() {
        let given = Given {
            args: vec![b"-n".to_vec(), b"a b".to_vec()],
            env: vec![(b"X".to_vec(), b"1".to_vec())],
            stdin: b"in\n".to_vec(),
            files: vec![("d/A".into(), b"\0".to_vec())],
            ..Given::default()
        };
        let lines = command_lines(&given, "./cat");
        assert_eq!(lines, [r"mkdir -p d && printf '\000' > d/A", r"printf 'in\n' | env -i X=1 ./cat -n 'a b'"]);
        assert_eq!(command_lines(&Given::default(), "./p"), ["./p </dev/null"]);
    }
}
