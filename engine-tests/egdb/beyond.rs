//! Positions with more pieces than tables have.

use super::embedded;
use crate::support::{Rng, random_position};
use mainroad::egdb::{MAX_PIECES, Value, root};
use mainroad::notation::fen;
use mainroad::rules::{Brazilian, DrawCounters, Pool, Rules, Russian, has_capture};

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
