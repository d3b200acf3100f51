//! What tables do not have: more pieces than theirs, sections that were left out, files of another making.

use super::{embedded, folder, position};
use crate::support::{Rng, random_position};
use mainroad::egdb::{MAX_PIECES, Slice, Tables, Value, root};
use mainroad::notation::fen;
use mainroad::rules::{Brazilian, DrawCounters, Pool, Rules, Russian, has_capture};
use std::fs;
use std::path::Path;

/// Where a capture is due the value follows from the positions behind it, however many pieces there are before it: the capture ends all counts
/// and is one ply away.
#[track_caller]
fn check_captures<R: Rules>() {
    let tables = embedded::<R>();
    let mut rng = Rng(19);
    let mut found = 0;
    for _ in 0..400_000 {
        let pos = random_position(&mut rng, 4, 4);
        if pos.occupied().count() <= MAX_PIECES || !has_capture(&pos) {
            continue;
        }
        let Some(value) = tables.probe_wdl(&pos) else {
            continue;
        };
        found += 1;
        let text = fen::write(&pos);
        let under_rules = root::rule_value(&tables, &pos, DrawCounters::default());
        assert_eq!(under_rules, Some(value), "{text}");
        let plies = (value != Value::Draw).then_some(1);
        assert_eq!(tables.probe_dtc(&pos), plies, "{text}");
        assert_eq!(tables.probe_dtz(&pos), plies, "{text}");
    }
    assert!(found >= 20, "only {found} such positions");
}

#[test]
fn captures_lead_into_the_tables() {
    check_captures::<Russian>();
    check_captures::<Pool>();
    check_captures::<Brazilian>();
}

/// A section of a table file.
struct Section<'a> {
    slice: Slice,
    kind: u8,
    is_difference: bool,
    /// Before compression.
    blocks: Vec<&'a [u8]>,
}

const VALUES: u8 = 0;
const CONVERSION: u8 = 2;

/// Writes a file with sound checksums.
fn write(path: &Path, head: &str, sections: &[Section]) {
    let mut directory = Vec::new();
    let mut blocks = Vec::new();
    for section in sections {
        let Slice { men, kings } = section.slice;
        directory.extend([men[0], men[1], kings[0], kings[1]]);
        directory.extend([section.kind, u8::from(section.is_difference)]);
        // Losses, draws, wins, plies of the longest win, number of its position.
        directory.extend([0; 5 * 8]);
        directory.extend((section.blocks.len() as u32).to_le_bytes());
        for raw in &section.blocks {
            let block = zstd::bulk::compress(raw, 1).expect("there is memory");
            directory.extend((block.len() as u32).to_le_bytes());
            directory.extend(crc32fast::hash(&block).to_le_bytes());
            blocks.extend(block);
        }
    }
    let mut bytes = format!("{head}\n").into_bytes();
    bytes.extend((sections.len() as u32).to_le_bytes());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(&directory).to_le_bytes());
    bytes.extend(directory);
    bytes.extend(blocks);
    fs::write(path, bytes).expect("it can be written");
}

/// The tables in the program leave some distances out. A file that is the difference to these has no base.
#[test]
fn a_difference_needs_a_base_that_is_there() {
    let program = embedded::<Russian>();
    let is_left_out = |slice: &Slice| {
        let summary = program.summary(*slice).expect("it is in the program");
        let longest = summary.conversion;
        slice.men != [0, 0] && longest.is_some_and(|(_, pos)| program.probe_dtc(&pos).is_none())
    };
    let slice = super::slices(5).into_iter().find(is_left_out);
    let slice = slice.expect("there is one whose wins are short");
    let zeros = vec![0; 1 << 16];
    let positions = slice.positions() as usize;
    let lengths = (0..positions)
        .step_by(zeros.len())
        .map(|begin| (positions - begin).min(zeros.len()));
    let folder = folder("base");
    fs::create_dir_all(&folder).expect("it can be made");
    write(
        &folder.join("russian-difference.tables"),
        "mainroad-tables 1 russian russian",
        &[Section {
            slice,
            kind: CONVERSION,
            is_difference: true,
            blocks: lengths.map(|length| &zeros[..length]).collect(),
        }],
    );
    let tables = Tables::<Russian>::open(&folder).expect("the folder is there");
    let faults = tables.take_faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].to_string().ends_with("its base is missing"));
    let (_, pos) = program
        .summary(slice)
        .and_then(|summary| summary.conversion)
        .expect("it has a win");
    assert_eq!(tables.probe_dtc(&pos), None);
    let _ = fs::remove_dir_all(&folder);
}

/// A distance that was left out is unknown in large tables as it is in small ones, and no fault.
#[test]
fn large_tables_may_leave_distances_out() {
    let slice: Slice = "4K1M-1K".parse().expect("it is a slice");
    // All wins.
    let wins = vec![0x55; 1 << 13];
    let bytes = slice.positions().div_ceil(4) as usize;
    let lengths = (0..bytes)
        .step_by(wins.len())
        .map(|begin| (bytes - begin).min(wins.len()));
    let values = Section {
        slice,
        kind: VALUES,
        is_difference: false,
        blocks: lengths.map(|length| &wins[..length]).collect(),
    };
    let left_out = Section {
        slice,
        kind: CONVERSION,
        is_difference: false,
        blocks: Vec::new(),
    };
    let folder = folder("left-out");
    fs::create_dir_all(&folder).expect("it can be made");
    write(
        &folder.join("russian-4K1M-1K.tables"),
        "mainroad-tables 1 russian -",
        &[values, left_out],
    );
    let tables = Tables::<Russian>::open_folder(&folder).expect("the folder is there");
    let pos = position("W:WKa1,Kc1,Ke1,Kg1,a3:BKb8");
    assert_eq!(Slice::of(&pos), slice);
    assert_eq!(tables.probe_wdl(&pos), Some(Value::Win));
    assert_eq!(tables.probe_dtc(&pos), None);
    assert!(tables.take_faults().is_empty());
    let _ = fs::remove_dir_all(&folder);
}
