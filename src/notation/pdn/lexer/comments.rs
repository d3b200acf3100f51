//! Comments in braces, and where those end that are not closed.

use super::{Kind, Lexer, MAX_GAME_BYTES};
use std::io::BufRead;

/// How far a comment is followed behind lines that look like the tags of the next game.
const MAX_LOOK_AHEAD: usize = 1 << 20;

impl<B: BufRead> Lexer<B> {
    /// Reads a comment. Its end is found as the head of `lexer` tells.
    pub(super) fn comment(&mut self) {
        let may_nest = self.origin + self.at as u64 >= self.flat_until;
        let mut scan = Scan {
            at: self.at + 1,
            line: self.line,
            ..Scan::default()
        };
        let is_closed = self.scan_comment(&mut scan, may_nest);
        let is_nested = scan.deepest > 1;
        let (kind, (end, line)) = match (is_closed, scan.first_end, scan.tags) {
            (true, ..) => (
                if is_nested {
                    Kind::NestedComment
                } else {
                    Kind::Comment
                },
                (scan.at, scan.line),
            ),
            (false, Some(first_end), _) => (Kind::NestedComment, first_end),
            (false, None, Some(tags)) => (Kind::OpenComment, tags),
            (false, None, None) if scan.at >= MAX_GAME_BYTES => {
                (Kind::CutComment, (scan.at, scan.line))
            }
            (false, None, None) => (Kind::OpenComment, (scan.at, scan.line)),
        };
        if !is_closed {
            self.flat_until = self.origin + scan.at as u64;
        }
        self.push(kind, end);
        self.is_line_start = kind == Kind::OpenComment;
        self.line = line;
    }

    /// Looks for the brace that closes a comment, and stops behind it. `false` if there is none.
    fn scan_comment(&mut self, scan: &mut Scan, may_nest: bool) -> bool {
        let mut depth = 1;
        scan.deepest = 1;
        while let Some(byte) = self.byte(scan.at) {
            let is_too_far = scan
                .tags
                .is_some_and(|(tags, _)| scan.at - tags > MAX_LOOK_AHEAD);
            if is_too_far || scan.at >= MAX_GAME_BYTES {
                return false;
            }
            match byte {
                b'{' if scan.tags.is_some() => return false,
                b'{' if may_nest => {
                    depth += 1;
                    scan.deepest = scan.deepest.max(depth);
                }
                b'}' => {
                    depth -= 1;
                    let end = (scan.at + 1, scan.line);
                    scan.first_end.get_or_insert(end);
                    if depth == 0 {
                        scan.at += 1;
                        return true;
                    }
                }
                b'\n' | b'\r' => {
                    self.scan_line_break(scan, byte);
                    continue;
                }
                b' ' | b'\t' => {}
                _ => scan.has_text = true,
            }
            scan.at += 1;
        }
        false
    }

    /// Goes to the next line of a comment, and notes whether the tags of another game may begin there: at a tag behind an empty line, or at
    /// two in a row.
    fn scan_line_break(&mut self, scan: &mut Scan, byte: u8) {
        let is_pair = byte == b'\r' && self.byte(scan.at + 1) == Some(b'\n');
        scan.at += if is_pair { 2 } else { 1 };
        scan.line += 1;
        let is_behind_empty = !scan.has_text;
        scan.has_text = false;
        if scan.tags.is_some() {
            return;
        }
        let here = self.is_tag_line(scan.at).then_some((scan.at, scan.line));
        scan.tags = match (here, scan.last_tag) {
            (Some(_), Some(last)) => Some(last),
            (Some(here), None) if is_behind_empty => Some(here),
            _ => None,
        };
        scan.last_tag = here;
    }
}

/// What was seen on the way to the end of a comment.
#[derive(Default)]
struct Scan {
    at: usize,
    line: usize,
    deepest: usize,
    /// The place and line behind the first closing brace.
    first_end: Option<(usize, usize)>,
    /// The place and line where tags of another game may begin.
    tags: Option<(usize, usize)>,
    /// The same for a tag that alone is none.
    last_tag: Option<(usize, usize)>,
    /// There is something on this line.
    has_text: bool,
}
