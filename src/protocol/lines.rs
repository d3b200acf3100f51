//! Lines of bytes from a stream that cannot be trusted.

use std::io::{self, BufRead};

/// Bytes of a line beyond this are dropped. Far above what any client sends.
const MAX_LINE_BYTES: usize = 16 << 20;

/// Reads a line without its end; `None` at the end of the input.
///
/// Bytes that are not UTF-8 are replaced, so that one bad byte does not lose the line.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut is_at_end = true;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            break;
        }
        is_at_end = false;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let text = &chunk[..end.unwrap_or(chunk.len())];
        let room = MAX_LINE_BYTES - line.len();
        line.extend_from_slice(&text[..text.len().min(room)]);
        let used = text.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(if is_at_end {
        None
    } else {
        Some(String::from_utf8_lossy(&line).into_owned())
    })
}
