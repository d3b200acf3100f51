//! Russian draughts: White begins, a man that reaches the last row in mid-capture goes on as a king.

use super::{
    Balance, Counted, DrawRules, MainRoad, Movement, NoProgress, Rules, SmallEnding, Style,
    ThreeVOne, Variant,
};
use crate::board::Side;

/// What is legal in Russian draughts.
#[derive(Clone, Copy, Debug)]
pub struct RussianMovement;

impl Movement for RussianMovement {
    const NAME: &'static str = "russian";
    /// A man that reaches the last row by capturing and can capture on as a king must do so, in the same move.
    const PROMOTES_MID_CAPTURE: bool = true;
    /// Any capture may be chosen; the chosen one is completed.
    const MAJORITY_CAPTURE: bool = false;
}

/// Moves are written in letters, captures with a colon, and White begins.
const STYLE: Style = Style {
    letters: true,
    capture_sign: ':',
    game_type: "25,W,8,8,A0,0",
};

/// Three or more kings against one: a draw when the stronger side's 15th move since the balance arose
/// has not taken the king. Any change in the number of strong kings is a new balance.
const THREE_V_ONE: Option<ThreeVOne> = Some(ThreeVOne {
    more_kings: true,
    counted: Counted::Strong,
    moves: 15,
});

/// 15 moves by each side with kings only, no capture and no man move.
const KING_MOVES: Option<NoProgress> = Some(NoProgress {
    plies: 30,
    man_moves_reset: true,
});

/// Russian draughts with the commonly published draw rules.
#[derive(Clone, Copy, Debug)]
pub struct Russian;

impl Rules for Russian {
    const VARIANT: Variant = Variant::Russian;
    const FIRST_TO_MOVE: Side = Side::White;
    const DRAWS: DrawRules = DrawRules {
        repetition: Some(3),
        no_progress: KING_MOVES,
        three_v_one: THREE_V_ONE,
        main_road: None,
        balances: &[],
        small_endings: &[],
    };
    const STYLE: Style = STYLE;
    type Movement = RussianMovement;
}

/// Russian draughts as an online page gives it: without the count of king moves.
#[derive(Clone, Copy, Debug)]
pub struct RussianOnline;

impl Rules for RussianOnline {
    const VARIANT: Variant = Variant::RussianOnline;
    const FIRST_TO_MOVE: Side = Side::White;
    const DRAWS: DrawRules = DrawRules {
        no_progress: None,
        ..Russian::DRAWS
    };
    const STYLE: Style = STYLE;
    type Movement = RussianMovement;
}

/// Russian draughts with the official draw rules for draughts-64 (FMJD, articles 7.2.3 to 7.2.8), all applied at once.
#[derive(Clone, Copy, Debug)]
pub struct RussianFmjd64;

impl Rules for RussianFmjd64 {
    const VARIANT: Variant = Variant::RussianFmjd64;
    const FIRST_TO_MOVE: Side = Side::White;
    const DRAWS: DrawRules = DrawRules {
        repetition: Some(3),      // 7.2.3
        three_v_one: THREE_V_ONE, // 7.2.4
        no_progress: KING_MOVES,  // 7.2.5
        // 7.2.6: both sides have a king, and no capture and no promotion for 30 or 60 moves.
        balances: &[
            Balance {
                pieces: 4..=5,
                plies: 60,
            },
            Balance {
                pieces: 6..=7,
                plies: 120,
            },
        ],
        // 7.2.7: three pieces, a king among them, against a king on the main road.
        main_road: Some(MainRoad {
            kings_only: false,
            moves: 5,
        }),
        // 7.2.8: at most two pieces, a king among them, against a king.
        small_endings: &[
            SmallEnding {
                strong: [0, 2],
                weak: [0, 1],
                counted: Counted::Strong,
                moves: 5,
            },
            SmallEnding {
                strong: [1, 1],
                weak: [0, 1],
                counted: Counted::Strong,
                moves: 5,
            },
            SmallEnding {
                strong: [0, 1],
                weak: [0, 1],
                counted: Counted::Each,
                moves: 5,
            },
        ],
    };
    const STYLE: Style = STYLE;
    type Movement = RussianMovement;
}
