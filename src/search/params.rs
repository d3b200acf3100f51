//! The numbers of the search.

use crate::score::Depth;

/// The deepest iteration, in plies.
pub const MAX_DEPTH: Depth = 120;

/// The first half-width of the aspiration window, in hundredths of a man.
pub(super) const ASPIRATION_WIDTH: i32 = 16;
/// Aspiration starts at this depth; shallower scores jump too much.
pub(super) const ASPIRATION_DEPTH: Depth = 4;
/// Beyond this half-width the window is opened fully.
pub(super) const ASPIRATION_LIMIT: i32 = 500;

/// Moves are reduced after so many others, on the principal variation and elsewhere,
pub(super) const REDUCED_AFTER_PV: usize = 3;
pub(super) const REDUCED_AFTER: usize = 1;
/// from this depth on.
pub(super) const REDUCTION_DEPTH: Depth = 2;
/// The product of the binary logarithms of depth and number of the move, divided by this in hundredths, is the reduction in
/// plies: 1 for the second move at depth 4, 5 for the sixth at depth 16.
pub(super) const REDUCTION_DIVISOR: i32 = 200;
/// A history score of so much takes one ply off the reduction.
pub(super) const HISTORY_PER_PLY: i32 = 2048;

/// Nodes without a move from the table are searched a ply less from this depth on.
pub(super) const INTERNAL_REDUCTION_DEPTH: Depth = 4;

/// Up to this depth nodes are left whose evaluation passes beta
pub(super) const FUTILITY_DEPTH: Depth = 3;
/// by this much for each ply of the depth, in hundredths of a man.
pub(super) const FUTILITY_MARGIN: i32 = 70;

/// `ProbCut` is tried from this depth on,
pub(super) const PROB_CUT_DEPTH: Depth = 3;
/// with a search of this share of the depth, in percent,
pub(super) const PROB_CUT_PERCENT: Depth = 40;
/// which has to pass beta by this much for each ply of the depth, in hundredths of a man.
pub(super) const PROB_CUT_MARGIN: i32 = 10;

/// A proven end settles a search when the depth of the iteration is so many times the plies to it.
pub(super) const PROOF_DEPTHS: Depth = 2;

/// Nodes between two looks at the stop flag and the clock: about a tenth of a millisecond.
pub(super) const NODES_PER_CHECK: u64 = 512;

/// After this many plies without a capture or man move the evaluation counts for nothing,
pub(super) const FADE_END: i32 = 80;
/// and over so many plies before that it fades.
pub(super) const FADE_PLIES: i32 = 64;

/// The first iteration is not stopped before it has searched so many positions.
pub(super) const FIRST_ITERATION_NODES: u64 = 4096;

/// A cut-off adds the square of the depth to the history of its move, at most this.
pub(super) const HISTORY_BONUS_LIMIT: i32 = 400;
/// A history score keeps within plus and minus this.
pub(super) const HISTORY_LIMIT: i32 = 1 << 14;
