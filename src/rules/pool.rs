//! American Pool checkers: Black begins, men capture backwards, kings fly, a man is not promoted in mid-capture.

use super::{Counted, DrawRules, MainRoad, Movement, NoProgress, Rules, Style, ThreeVOne, Variant};
use crate::board::Side;

/// What is legal in Pool.
#[derive(Clone, Copy, Debug)]
pub struct PoolMovement;

impl Movement for PoolMovement {
    const NAME: &'static str = "pool";
    /// APCA rules: a man that reaches the promotion row by a capture and can capture on as a man does so, and is not promoted.
    const PROMOTES_MID_CAPTURE: bool = false;
    /// APCA rule 20: any capture may be chosen, and must be completed.
    const MAJORITY_CAPTURE: bool = false;
}

/// American Pool checkers with the draw rules of the APCA (26 to 28).
#[derive(Clone, Copy, Debug)]
pub struct Pool;

/// Pool moves are numbered and Black, on 1 to 12, begins.
const STYLE: Style = Style {
    letters: false,
    capture_sign: 'x',
    game_type: "23,B,8,8,N1,0",
};

impl Rules for Pool {
    const VARIANT: Variant = Variant::Pool;
    const FIRST_TO_MOVE: Side = Side::Black;
    const DRAWS: DrawRules = DrawRules {
        repetition: Some(3),
        // 30 moves by each side without capture or promotion. Over the board it is claimed; the club's
        // program, whose page is followed here, applies it by itself.
        no_progress: Some(NoProgress {
            plies: 60,
            man_moves_reset: false,
        }),
        // 27: after the lone king's 13th own move, even if it could be taken by the next.
        three_v_one: Some(ThreeVOne {
            more_kings: false,
            counted: Counted::Weak,
            moves: 13,
        }),
        // 28: five moves of the stronger side while the lone king holds the main road. The pages do not
        // say what leaving it does; here it starts the count again.
        main_road: Some(MainRoad {
            kings_only: true,
            moves: 5,
        }),
        balances: &[],
        small_endings: &[],
    };
    const STYLE: Style = STYLE;
    type Movement = PoolMovement;
}

/// Pool with a draw after 25 moves without progress, and no draw by repetition.
#[derive(Clone, Copy, Debug)]
pub struct Pool25;

impl Rules for Pool25 {
    const VARIANT: Variant = Variant::Pool25;
    const FIRST_TO_MOVE: Side = Side::Black;
    const DRAWS: DrawRules = DrawRules {
        repetition: None,
        // "25 consecutive moves": read as 25 by each side, reset by a capture and by any man move, the
        // reading that cuts off no win.
        no_progress: Some(NoProgress {
            plies: 50,
            man_moves_reset: true,
        }),
        // The stronger side's 13th move is its last, "even if the 14th is a capture".
        three_v_one: Some(ThreeVOne {
            more_kings: false,
            counted: Counted::Strong,
            moves: 13,
        }),
        main_road: None,
        balances: &[],
        small_endings: &[],
    };
    const STYLE: Style = STYLE;
    type Movement = PoolMovement;
}
