//! The letters of a game: UTF-8, or what old programs wrote before it.
//!
//! Files are put together from many sources, so each piece of a game is judged alone: what is UTF-8 is read as UTF-8. Of the rest the
//! letters of the whole game tell which of the old encodings it has: Cyrillic words are runs of high bytes, and in the languages of Western
//! Europe high bytes stand alone between others. Of the Cyrillic encodings the one is right under which the words look most like Russian:
//! frequent letters, vowels between the consonants, and no capital behind a small one, since Windows-1251 has its small letters where KOI8-R has its
//! capitals, and the other way round. Where that leaves doubts, as in one short word that is all small or all capitals, it is not KOI8-R, which is
//! rare.

use encoding_rs::{Encoding, IBM866, KOI8_U, WINDOWS_1251, WINDOWS_1252};
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

/// The Cyrillic encodings, the most frequent first. KOI8-U is KOI8-R with the letters of Ukrainian in the place of some box lines.
const CYRILLIC: [&Encoding; 3] = [WINDOWS_1251, IBM866, KOI8_U];

/// So many bytes of words tell the encoding.
const SAMPLE: usize = 256;

/// Guesses the encoding of text that is not UTF-8.
fn old_encoding(bytes: &[u8]) -> &'static Encoding {
    let all = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let runs = || bytes.split(u8::is_ascii).filter(|run| run.len() > 1);
    let in_runs: usize = runs().map(<[u8]>::len).sum();
    if in_runs * 2 < all {
        return WINDOWS_1252;
    }
    let mut words = Vec::new();
    for run in runs() {
        let left = SAMPLE.saturating_sub(words.len());
        words.extend_from_slice(&run[..run.len().min(left)]);
        words.push(b' ');
        if left == 0 {
            break;
        }
    }
    let likeness = |encoding: &&'static Encoding| {
        let rarity = if *encoding == KOI8_U { RARITY } else { 0 };
        likeness(&encoding.decode_without_bom_handling(&words).0) - rarity
    };
    // Of equals the last would be the greatest.
    let best = CYRILLIC.into_iter().rev().max_by_key(likeness);
    best.expect("there are some")
}

/// Returns how much words look like Russian ones.
fn likeness(words: &str) -> i32 {
    let mut before = ' ';
    let (mut sum, mut consonants) = (0, 0);
    for letter in words.chars() {
        let is_consonant = letter.is_alphabetic() && !is_vowel_or_sign(letter);
        consonants = if is_consonant { consonants + 1 } else { 0 };
        if consonants > MOST_CONSONANTS {
            sum -= CROWDED;
        }
        if letter != ' ' {
            sum += weight(letter);
        }
        if before.is_lowercase() && letter.is_uppercase() {
            sum -= MISPLACED;
        }
        before = letter;
    }
    let without_vowel = words.split_ascii_whitespace().filter(|word| {
        let mut letters = word.chars();
        letters.clone().nth(1).is_some() && !letters.any(is_vowel)
    });
    let is_loud = !words.contains(char::is_lowercase);
    sum - CROWDED * without_vowel.count() as i32 - LOUD * i32::from(is_loud)
}

/// By so much KOI8-R must be more like Russian than the others.
const RARITY: i32 = 8;

/// What a capital behind a small letter takes off: more than a letter can bring.
const MISPLACED: i32 = 16;

/// So many consonants in a row are not rare.
const MOST_CONSONANTS: u32 = 3;

/// What each consonant behind these takes off, and a word without a vowel.
const CROWDED: i32 = 6;

/// What a text without small letters takes off: there are fewer of them than of those without capitals.
const LOUD: i32 = 2;

fn is_vowel(letter: char) -> bool {
    "аеёиоуыэюяії".contains(lower(letter))
}

fn is_vowel_or_sign(letter: char) -> bool {
    is_vowel(letter) || matches!(lower(letter), 'ь' | 'ъ')
}

fn lower(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

/// Returns the logarithm of how frequent a letter is in Russian text, two for each halving, from 14 for about one in nine; Ukrainian and
/// Belarusian letters count like rare ones. What is no letter speaks against the encoding.
fn weight(letter: char) -> i32 {
    match lower(letter) {
        'о' => 14,
        'е' | 'а' | 'и' | 'н' | 'т' => 13,
        'с' | 'р' | 'в' | 'л' => 12,
        'к' | 'м' => 11,
        'д' | 'п' | 'у' => 10,
        'я' | 'ы' | 'ь' | 'г' | 'з' | 'б' => 9,
        'ч' | 'й' => 8,
        'х' | 'ж' => 7,
        'ш' | 'ю' => 6,
        'ц' => 5,
        'щ' | 'э' | 'ё' | 'і' => 4,
        'ф' | 'ї' | 'є' | 'ў' => 3,
        'ъ' | 'ґ' | '«' | '»' | '№' | '–' | '—' | '“' | '”' | '…' | '\u{a0}' => 0,
        _ => -16,
    }
}
