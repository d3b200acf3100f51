//! Brazilian draughts: international rules on 64 squares.

use super::{Counted, DrawRules, Movement, NoProgress, Rules, SmallEnding, Style, Variant};
use crate::board::Side;

/// What is legal in Brazilian draughts.
#[derive(Clone, Copy, Debug)]
pub struct BrazilianMovement;

impl Movement for BrazilianMovement {
    const NAME: &'static str = "brazilian";
    /// A man that passes over the last row stays a man.
    const PROMOTES_MID_CAPTURE: bool = false;
    /// The law of the majority.
    const MAJORITY_CAPTURE: bool = true;
}

/// Brazilian draughts with the draw rules of the Brazilian confederation (CBD).
#[derive(Clone, Copy, Debug)]
pub struct Brazilian;

/// A small ending drawn after five moves by each side.
const fn small(strong: [u32; 2], weak: [u32; 2]) -> SmallEnding {
    SmallEnding {
        strong,
        weak,
        counted: Counted::Each,
        moves: 5,
    }
}

impl Rules for Brazilian {
    const VARIANT: Variant = Variant::Brazilian;
    const FIRST_TO_MOVE: Side = Side::White;
    const DRAWS: DrawRules = DrawRules {
        repetition: Some(3),
        // 20 moves by each side with kings only.
        no_progress: Some(NoProgress {
            plies: 40,
            man_moves_reset: true,
        }),
        three_v_one: None,
        main_road: None,
        balances: &[],
        small_endings: &[
            small([0, 2], [0, 2]),
            small([0, 2], [0, 1]),
            small([0, 2], [1, 1]),
            small([0, 1], [0, 1]),
            small([0, 1], [1, 1]),
        ],
    };
    const STYLE: Style = Style {
        letters: true,
        capture_sign: 'x',
        game_type: "26,W,8,8,A0,0",
    };
    type Movement = BrazilianMovement;
}
