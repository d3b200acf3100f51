//! The letters of a game: UTF-8, or what old programs wrote before it.
//!
//! Files are put together from many sources, so each piece of a game is judged alone: what is UTF-8 is read as UTF-8. Of the rest the
//! letters of the whole game tell which of the old encodings it has: Cyrillic words are runs of high bytes, low ones under DOS and high
//! ones under Windows, and in the languages of Western Europe high bytes stand alone between others.

use encoding_rs::{Encoding, IBM866, WINDOWS_1251, WINDOWS_1252};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// The bytes of a game as text.
pub(super) struct Text<'a> {
    bytes: &'a [u8],
    /// What is not UTF-8, known when it was needed.
    old: OnceCell<&'static Encoding>,
}

impl<'a> Text<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            old: OnceCell::new(),
        }
    }

    /// Returns a piece that begins and ends between letters.
    pub(super) fn get(&self, range: Range<usize>) -> Cow<'a, str> {
        let piece = &self.bytes[range];
        match str::from_utf8(piece) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) if is_damaged_utf8(piece) => String::from_utf8_lossy(piece),
            Err(_) => {
                let old = self.old.get_or_init(|| old_encoding(self.bytes));
                old.decode_without_bom_handling(piece).0
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// Says whether more letters are whole than not: a text that was cut off somewhere.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut whole, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += chunk.invalid().len();
    }
    whole > broken
}

/// Guesses the encoding of text that is not UTF-8.
fn old_encoding(bytes: &[u8]) -> &'static Encoding {
    let is_high = |byte: &u8| !byte.is_ascii();
    let high = bytes.iter().copied().filter(|byte| is_high(byte));
    let (mut all, mut low) = (0, 0);
    for byte in high {
        all += 1;
        low += usize::from(byte < 0xB0);
    }
    let in_runs: usize = bytes
        .split(u8::is_ascii)
        .map(<[u8]>::len)
        .filter(|&length| length > 1)
        .sum();
    if in_runs * 2 < all {
        WINDOWS_1252
    } else if low * 3 > all {
        // Capitals and half of the small letters. Windows has signs there.
        IBM866
    } else {
        WINDOWS_1251
    }
}
