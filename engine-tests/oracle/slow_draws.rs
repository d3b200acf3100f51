//! The slow referee: how a game ends under each of the six rule sets, counted from its history.
//!
//! The engine keeps running counters; this referee keeps the whole game and, after each move,
//! counts everything again from the first position. A counter that is reset too early or too late,
//! or forgotten in a copy, therefore shows as a disagreement between the two.
//!
//! The text is `RULES.md`, section 0 (names), section 1 (a side that cannot move has lost, before
//! any draw is looked at) and section 3 (exact counting); the names of the reasons and their
//! short form are in the test vectors' `README.md`.
//!
//! The idea is one word, the *run*: the longest tail of the game whose positions all satisfy a
//! condition. Only moves between two positions of a run are counted by it, which is the rule that
//! the move creating a condition is not counted, and also why a starting position begins at 0.

use std::cmp::Ordering;

use super::slow::{Board, Colour, Kind, Movement, SlowMove, legal_moves, play};

/// One of the six rule sets: a movement and a list of ways to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleSet {
    /// American Pool checkers by the APCA rules (section 3.1).
    Pool,
    /// Pool checkers with the draw of 25 moves (section 3.2).
    Pool25,
    /// Russian draughts (section 3.3).
    Russian,
    /// Russian draughts without the draw of 15 king moves (section 3.4).
    RussianOnline,
    /// Russian draughts with the official FMJD-64 draws (section 3.5).
    RussianFmjd64,
    /// Brazilian draughts (section 3.6).
    Brazilian,
}

impl RuleSet {
    /// Returns the rule set of a name from section 0, the names "also accepted" included.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "pool" | "pool-apca" | "american-pool" => Some(Self::Pool),
            "pool-25" => Some(Self::Pool25),
            "russian" | "shashki" => Some(Self::Russian),
            "russian-online" => Some(Self::RussianOnline),
            "russian-fmjd64" | "fmjd64" => Some(Self::RussianFmjd64),
            "brazilian" => Some(Self::Brazilian),
            _ => None,
        }
    }

    /// Returns how the pieces move, for draw rules never change what is legal.
    pub(crate) fn movement(self) -> Movement {
        match self {
            Self::Pool | Self::Pool25 => Movement::Pool,
            Self::Russian | Self::RussianOnline | Self::RussianFmjd64 => Movement::Russian,
            Self::Brazilian => Movement::Brazilian,
        }
    }
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    /// The winner, or nothing for a draw.
    pub(crate) winner: Option<Colour>,
    /// Every reason that holds, in the order of section 3.
    ///
    /// Several draws can fall on one ply; any of them is a true answer, so a test may look for the
    /// engine's one among these.
    pub(crate) reasons: Vec<&'static str>,
}

/// A game under one rule set, kept whole.
///
/// Invariant: there is one board more than there are moves; move `i` leads from board `i` to
/// board `i + 1`.
pub(crate) struct Referee {
    /// The rule set that says what draws.
    rules: RuleSet,
    /// Every position of the game, the start first.
    boards: Vec<Board>,
    /// Every move of the game.
    moves: Vec<SlowMove>,
}

impl Referee {
    /// Returns the referee of a game that starts here, all counts 0 and this position seen once.
    pub(crate) fn new(rules: RuleSet, start: Board) -> Self {
        Self {
            rules,
            boards: vec![start],
            moves: Vec::new(),
        }
    }

    /// Returns the position now on the board.
    pub(crate) fn board(&self) -> &Board {
        self.boards.last().expect("a game has its start")
    }

    /// Plays a move and says whether it ended the game.
    ///
    /// Panics on an illegal move: counts over an impossible game would prove nothing. A game that
    /// has ended may be played on, and its draw then stays a draw while the reason holds.
    pub(crate) fn play(&mut self, mv: &SlowMove) -> Option<Ending> {
        let legal = legal_moves(self.rules.movement(), self.board());
        assert!(legal.contains(mv), "illegal: {mv:?} {}", self.board().fen());
        self.boards.push(play(self.board(), mv));
        self.moves.push(mv.clone());
        self.ending()
    }

    /// Returns how the game has ended, or nothing if it goes on.
    ///
    /// The loss comes first: a last counted move that captures or blocks everything wins.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.loss().or_else(|| self.draw())
    }

    /// Returns the loss of the side to move if it has no legal move.
    fn loss(&self) -> Option<Ending> {
        let board = self.board();
        if !legal_moves(self.rules.movement(), board).is_empty() {
            return None;
        }
        let own = Material::of(board).side(board.turn);
        let reason = if own.pieces() == 0 {
            "no-pieces"
        } else {
            "blocked"
        };
        Some(Ending {
            winner: Some(board.turn.other()),
            reasons: vec![reason],
        })
    }

    /// Returns the draw with all its reasons, or nothing if none holds.
    fn draw(&self) -> Option<Ending> {
        let rules = [
            ("repetition", self.is_repetition()),
            ("three-v-one", self.is_three_v_one()),
            ("main-road", self.is_main_road()),
            ("small-ending", self.is_small_ending()),
            ("balance", self.is_balance()),
            ("no-progress", self.is_no_progress()),
        ];
        let reasons: Vec<&'static str> = rules
            .into_iter()
            .filter_map(|(reason, holds)| holds.then_some(reason))
            .collect();
        (!reasons.is_empty()).then_some(Ending {
            winner: None,
            reasons,
        })
    }

    /// Returns whether the position has occurred three times with the same side to move.
    ///
    /// Only `pool-25` has no such rule (A8).
    fn is_repetition(&self) -> bool {
        self.rules != RuleSet::Pool25 && self.repetitions() >= 3
    }

    /// Returns whether three kings have failed to catch one in time (3.1 to 3.4, FMJD-64 7.2.4).
    ///
    /// Pool counts the lone king's moves, the others the strong side's. A change in the number of
    /// strong kings starts a new count (A10).
    fn is_three_v_one(&self) -> bool {
        let Some(strong) = self.three_v_one_side(self.board()) else {
            return false;
        };
        let counts = self.same_material_counts();
        match self.rules {
            RuleSet::Pool => counts.of(strong.other()) >= 13,
            RuleSet::Pool25 => counts.of(strong) >= 13,
            RuleSet::Russian | RuleSet::RussianOnline | RuleSet::RussianFmjd64 => {
                counts.of(strong) >= 15
            }
            RuleSet::Brazilian => false,
        }
    }

    /// Returns whether a lone king has held the main road for five moves of the strong side.
    fn is_main_road(&self) -> bool {
        self.main_road_side(self.board())
            .is_some_and(|strong| self.main_road_counts(strong).of(strong) >= 5)
    }

    /// Returns whether a small ending has lasted its five moves (FMJD-64 7.2.8, Brazilian list).
    ///
    /// FMJD-64 counts the stronger side's moves and, between single kings, those of each side; the
    /// Brazilian list always counts five by each side.
    fn is_small_ending(&self) -> bool {
        let material = Material::of(self.board());
        let counts = self.same_material_counts();
        match self.rules {
            RuleSet::RussianFmjd64 if material.is_fmjd_small_ending() => {
                match material.stronger_side() {
                    Some(strong) => counts.of(strong) >= 5,
                    None => counts.by_each_side() >= 5,
                }
            }
            RuleSet::Brazilian if material.is_brazilian_small_ending() => {
                counts.by_each_side() >= 5
            }
            _ => false,
        }
    }

    /// Returns whether the balance of material has lasted too long (FMJD-64 7.2.6).
    ///
    /// Neither the number of pieces nor the presence of kings can change without a capture or a
    /// promotion, so the present position speaks for all those counted.
    fn is_balance(&self) -> bool {
        let material = Material::of(self.board());
        let both_have_a_king = material.white.kings > 0 && material.black.kings > 0;
        if self.rules != RuleSet::RussianFmjd64 || !both_have_a_king {
            return false;
        }
        let plies = self.plies_since(|_, mv| is_capture(mv) || mv.promotes);
        match material.pieces() {
            4 | 5 => plies >= 60,
            6 | 7 => plies >= 120,
            _ => false,
        }
    }

    /// Returns whether too many plies have passed without progress, as the rule set defines it.
    ///
    /// In Pool a man's move is no progress unless it crowns; elsewhere every man's move is.
    fn is_no_progress(&self) -> bool {
        let limit = match self.rules {
            RuleSet::Pool => 60,
            RuleSet::Pool25 => 50,
            RuleSet::Russian | RuleSet::RussianFmjd64 => 30,
            RuleSet::Brazilian => 40,
            RuleSet::RussianOnline => return false,
        };
        self.no_progress() >= limit
    }

    /// Returns how often the present position has occurred, this time included.
    fn repetitions(&self) -> usize {
        let now = self.board();
        self.boards.iter().filter(|&board| board == now).count()
    }

    /// Returns the plies since the last progress.
    fn no_progress(&self) -> usize {
        if self.rules == RuleSet::Pool {
            self.plies_since(|_, mv| is_capture(mv) || mv.promotes)
        } else {
            self.plies_since(|before, mv| is_capture(mv) || is_man_move(before, mv))
        }
    }

    /// Returns each side's moves since the lone king has been standing on the main road (A7).
    ///
    /// Moving along the road keeps the count, and so does a promotion of the strong side where its
    /// men belong to the condition at all (FMJD-64 7.2.7).
    fn main_road_counts(&self, strong: Colour) -> Counts {
        self.moves_in_run(|board| self.main_road_side(board) == Some(strong))
    }

    /// Returns each side's moves since the men or kings of either side last changed.
    fn same_material_counts(&self) -> Counts {
        let material = Material::of(self.board());
        self.moves_in_run(|board| Material::of(board) == material)
    }

    /// Returns the strong side if this is kings against one king, as the rule set defines it.
    ///
    /// Pool means exactly three kings, Russian three or more; a man on either side, or a second
    /// weak piece, makes it something else (A11).
    fn three_v_one_side(&self, board: &Board) -> Option<Colour> {
        let is_enough = |kings: usize| match self.rules {
            RuleSet::Pool | RuleSet::Pool25 => kings == 3,
            RuleSet::Russian | RuleSet::RussianOnline | RuleSet::RussianFmjd64 => kings >= 3,
            RuleSet::Brazilian => false,
        };
        let material = Material::of(board);
        [Colour::White, Colour::Black].into_iter().find(|&strong| {
            let force = material.side(strong);
            force.men == 0 && is_enough(force.kings) && material.side(strong.other()) == LONE_KING
        })
    }

    /// Returns the strong side if a lone king on the main road faces three pieces.
    ///
    /// Pool wants three kings (3.1), FMJD-64 any three pieces with a king among them (7.2.7). The
    /// strong pieces may stand anywhere, on the road too.
    fn main_road_side(&self, board: &Board) -> Option<Colour> {
        let is_enough = |force: Force| match self.rules {
            RuleSet::Pool => force.kings == 3 && force.men == 0,
            RuleSet::RussianFmjd64 => force.pieces() == 3 && force.kings >= 1,
            _ => false,
        };
        let material = Material::of(board);
        [Colour::White, Colour::Black].into_iter().find(|&strong| {
            let lone = strong.other();
            is_enough(material.side(strong))
                && material.side(lone) == LONE_KING
                && has_king_on_main_road(board, lone)
        })
    }

    /// Returns the plies after the last move of progress, or all plies if there was none.
    ///
    /// The question is asked of a move and the board before it, where the mover can be seen.
    fn plies_since(&self, is_progress: impl Fn(&Board, &SlowMove) -> bool) -> usize {
        self.boards
            .iter()
            .zip(&self.moves)
            .rev()
            .take_while(|(before, mv)| !is_progress(before, mv))
            .count()
    }

    /// Returns each side's moves inside the run of a condition.
    ///
    /// The first board of the run was not reached by a move of it, so that move is skipped; every
    /// later board was reached by a move of the side that is not to move there.
    fn moves_in_run(&self, holds: impl Fn(&Board) -> bool) -> Counts {
        let tail = self.boards.iter().rev().take_while(|board| holds(board));
        let length = tail.count();
        let first = self.boards.len() - length;
        let mut counts = Counts { white: 0, black: 0 };
        for board in self.boards.iter().skip(first + 1) {
            match board.turn.other() {
                Colour::White => counts.white += 1,
                Colour::Black => counts.black += 1,
            }
        }
        counts
    }
}

/// The moves of each side within a run.
struct Counts {
    /// Moves made by White.
    white: usize,
    /// Moves made by Black.
    black: usize,
}

impl Counts {
    /// Returns one side's moves.
    fn of(&self, colour: Colour) -> usize {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    /// Returns how many moves each side has completed.
    fn by_each_side(&self) -> usize {
        self.white.min(self.black)
    }
}

/// The pieces of one side.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Force {
    /// Its men.
    men: usize,
    /// Its kings.
    kings: usize,
}

/// A king and nothing else.
const LONE_KING: Force = Force { men: 0, kings: 1 };

/// A king and a man.
const KING_AND_MAN: Force = Force { men: 1, kings: 1 };

/// Two kings.
const TWO_KINGS: Force = Force { men: 0, kings: 2 };

impl Force {
    /// Returns the number of pieces.
    fn pieces(self) -> usize {
        self.men + self.kings
    }
}

/// The pieces of both sides.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Material {
    /// White's pieces.
    white: Force,
    /// Black's pieces.
    black: Force,
}

impl Material {
    /// Counts the pieces on a board.
    fn of(board: &Board) -> Self {
        let count = |piece| {
            let squares = board.squares.iter();
            squares.filter(|&&square| square == Some(piece)).count()
        };
        let force = |colour| Force {
            men: count((colour, Kind::Man)),
            kings: count((colour, Kind::King)),
        };
        Self {
            white: force(Colour::White),
            black: force(Colour::Black),
        }
    }

    /// Returns one side's pieces.
    fn side(&self, colour: Colour) -> Force {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    /// Returns the number of all pieces.
    fn pieces(&self) -> usize {
        self.white.pieces() + self.black.pieces()
    }

    /// Returns whether the material is that of a small ending, whichever side has which part.
    fn is_either_way(&self, one: Force, other: Force) -> bool {
        (self.white == one && self.black == other) || (self.white == other && self.black == one)
    }

    /// Returns whether FMJD-64 7.2.8 covers the material: 2K, K+M or K against K.
    fn is_fmjd_small_ending(&self) -> bool {
        self.is_either_way(TWO_KINGS, LONE_KING)
            || self.is_either_way(KING_AND_MAN, LONE_KING)
            || self.is_either_way(LONE_KING, LONE_KING)
    }

    /// Returns whether the Brazilian list covers the material (3.6): 2K v 2K, 2K v K, 2K v K+M,
    /// K v K, K v K+M.
    fn is_brazilian_small_ending(&self) -> bool {
        self.is_either_way(TWO_KINGS, TWO_KINGS)
            || self.is_either_way(TWO_KINGS, LONE_KING)
            || self.is_either_way(TWO_KINGS, KING_AND_MAN)
            || self.is_either_way(LONE_KING, LONE_KING)
            || self.is_either_way(LONE_KING, KING_AND_MAN)
    }

    /// Returns the side with more pieces, or nothing if both have the same number.
    fn stronger_side(&self) -> Option<Colour> {
        match self.white.pieces().cmp(&self.black.pieces()) {
            Ordering::Greater => Some(Colour::White),
            Ordering::Less => Some(Colour::Black),
            Ordering::Equal => None,
        }
    }
}

/// The squares of the main road, a1 to h8.
const MAIN_ROAD: [usize; 8] = [29, 25, 22, 18, 15, 11, 8, 4];

/// Returns whether a king of this colour stands on the main road.
fn has_king_on_main_road(board: &Board, colour: Colour) -> bool {
    MAIN_ROAD
        .iter()
        .any(|number| board.squares[number - 1] == Some((colour, Kind::King)))
}

/// Returns whether a move captures.
fn is_capture(mv: &SlowMove) -> bool {
    !mv.captured.is_empty()
}

/// Returns whether a man makes the move.
fn is_man_move(before: &Board, mv: &SlowMove) -> bool {
    let piece = before.squares[usize::from(mv.from) - 1];
    piece.is_some_and(|(_, kind)| kind == Kind::Man)
}
