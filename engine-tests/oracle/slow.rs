//! The slow generator: which moves are legal, written straight from the rule text.
//!
//! The fast generator is tested against this one, so the two share no code and no idea: here is an
//! array of 32 squares, and a piece walks over files and ranks one square at a time, as a finger
//! would on a wooden board. Nothing is cached, nothing is clever, and each function is one
//! sentence of the rules.
//!
//! The text is `RULES.md`: section 1 (board, compulsory capture, victims that stand until the move
//! is over, landing of a flying king), section 2 (what sets Pool, Russian and Brazilian apart) and
//! section 4 (when two captures are one move). Square numbers are those of the test vectors'
//! `README.md`: 1 is b8 and 32 is g1.
//!
//! Invariant: a [`Board`] is never changed in place by a rule; playing a move makes a new one.

use std::collections::{BTreeMap, BTreeSet};

/// One of the three ways in which pieces move.
///
/// Draw rules are a separate matter: several rule sets share one movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movement {
    /// Free choice of capture; a man is crowned only where its move ends.
    Pool,
    /// Free choice of capture; a man is crowned in mid-capture and goes on as a king.
    Russian,
    /// The capture of most pieces is compulsory; a man is crowned only where its move ends.
    Brazilian,
}

/// The side a piece belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    /// Starts on 21 to 32 and moves towards rank 8.
    White,
    /// Starts on 1 to 12 and moves towards rank 1.
    Black,
}

impl Colour {
    /// Returns the opponent.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// Returns the step in ranks of a man that moves forward.
    fn forward(self) -> i32 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }

    /// Returns the rank, counted from 0, on which a man is crowned.
    fn last_rank(self) -> i32 {
        match self {
            Self::White => 7,
            Self::Black => 0,
        }
    }

    /// Returns the letter that stands for the side in a FEN.
    fn letter(self) -> &'static str {
        match self {
            Self::White => "W",
            Self::Black => "B",
        }
    }

    /// Returns the side a FEN letter stands for; panics on any other text.
    fn from_letter(letter: &str) -> Self {
        match letter {
            "W" => Self::White,
            "B" => Self::Black,
            _ => panic!("not a side: {letter:?}"),
        }
    }
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Moves one square forward, captures in all four directions.
    Man,
    /// Flies any distance in all four directions.
    King,
}

/// A placement and the side to move.
///
/// Two boards are equal exactly when they are the same position for the repetition rule, which is
/// why nothing else is kept here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// What stands on each square; the index is the square number less one.
    pub(crate) squares: [Option<(Colour, Kind)>; 32],
    /// The side to move.
    pub(crate) turn: Colour,
}

impl Board {
    /// Returns the initial position with `first` to move.
    ///
    /// Who begins is the rule set's affair (Black in Pool, White in Russian and Brazilian).
    pub(crate) fn start(first: Colour) -> Self {
        let mut board = Self::empty(first);
        for number in 1..=12 {
            board.put(number, Some((Colour::Black, Kind::Man)));
        }
        for number in 21..=32 {
            board.put(number, Some((Colour::White, Kind::Man)));
        }
        board
    }

    /// Reads a numeric FEN such as `W:W21,K30:B1,2`, the form the test vectors use.
    ///
    /// Panics on anything else, on a square named twice and on a man that stands on its own
    /// crowning row: a position that no game can reach would make a test mean nothing.
    pub(crate) fn parse(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split(':').collect();
        assert_eq!(fields.len(), 3, "not three fields: {fen:?}");
        let mut board = Self::empty(Colour::from_letter(fields[0]));
        for field in &fields[1..] {
            let (letter, list) = field.split_at_checked(1).expect("a list names its side");
            for item in list.split(',').filter(|item| !item.is_empty()) {
                board.add(Colour::from_letter(letter), item);
            }
        }
        board
    }

    /// Returns the position as a numeric FEN, squares in increasing order, White's list first.
    pub(crate) fn fen(&self) -> String {
        let white = self.list(Colour::White);
        let black = self.list(Colour::Black);
        format!("{}:W{white}:B{black}", self.turn.letter())
    }

    /// Returns a board without pieces.
    fn empty(turn: Colour) -> Self {
        Self {
            squares: [None; 32],
            turn,
        }
    }

    /// Puts down the piece that a FEN item such as `21` or `K30` names.
    fn add(&mut self, colour: Colour, item: &str) {
        let (digits, kind) = match item.strip_prefix('K') {
            Some(digits) => (digits, Kind::King),
            None => (item, Kind::Man),
        };
        let number: u8 = digits.parse().expect("a square is a number");
        assert!((1..=32).contains(&number), "no such square: {item}");
        assert_eq!(self.at(number), None, "square named twice: {item}");
        let crowned = kind == Kind::King || !is_last_row(colour, number);
        assert!(crowned, "a man on its own crowning row: {item}");
        self.put(number, Some((colour, kind)));
    }

    /// Returns the FEN list of one side's pieces, without the letter of the side.
    fn list(&self, colour: Colour) -> String {
        let mut items = Vec::new();
        for number in 1..=32 {
            match self.at(number) {
                Some((owner, Kind::Man)) if owner == colour => items.push(format!("{number}")),
                Some((owner, Kind::King)) if owner == colour => items.push(format!("K{number}")),
                _ => {}
            }
        }
        items.join(",")
    }

    /// Returns what stands on a square.
    fn at(&self, number: u8) -> Option<(Colour, Kind)> {
        self.squares[usize::from(number) - 1]
    }

    /// Sets what stands on a square.
    fn put(&mut self, number: u8, piece: Option<(Colour, Kind)>) {
        self.squares[usize::from(number) - 1] = piece;
    }
}

/// A legal move, together with every way to play it.
///
/// A move is its start, its end, the set of its victims and whether it crowns, because these decide
/// the position after it; the order of the victims and the landing squares between do not.
///
/// Invariant: `captured` and `paths` are sorted, and `paths` holds at least one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SlowMove {
    /// The number of the square the piece leaves.
    pub(crate) from: u8,
    /// The number of the square the piece ends on, which a king's capture may share with `from`.
    pub(crate) to: u8,
    /// The numbers of the captured pieces' squares, empty for a quiet move.
    pub(crate) captured: Vec<u8>,
    /// Whether a man has become a king, at the end of the move or inside it.
    pub(crate) promotes: bool,
    /// The squares stood on, start first and end last, once for each way to play the move.
    pub(crate) paths: Vec<Vec<u8>>,
}

/// Returns every legal move, each once, sorted by start, end, victims and promotion.
///
/// Capture is compulsory, so quiet moves are looked for only where nothing can be captured. The
/// list is empty exactly when the side to move has lost.
pub(crate) fn legal_moves(movement: Movement, board: &Board) -> Vec<SlowMove> {
    let captures = all_captures(movement, board);
    let lines = if captures.is_empty() {
        all_quiet_moves(board)
    } else {
        captures
    };
    merge(board, lines)
}

/// Returns the position after a move: victims leave only now, then the other side is to move.
///
/// The piece is lifted before it is put down, because a capture may end where it began.
pub(crate) fn play(board: &Board, mv: &SlowMove) -> Board {
    let mut after = board.clone();
    let (colour, kind) = board.at(mv.from).expect("a move starts on a piece");
    after.put(mv.from, None);
    for &victim in &mv.captured {
        after.put(victim, None);
    }
    let kind = if mv.promotes { Kind::King } else { kind };
    after.put(mv.to, Some((colour, kind)));
    after.turn = board.turn.other();
    after
}

/// Counts the leaves of the move tree at `depth`, captures that are one move counted once.
///
/// Draw rules are ignored, and a position without moves has no children.
pub(crate) fn perft(movement: Movement, board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    legal_moves(movement, board)
        .iter()
        .map(|mv| perft(movement, &play(board, mv), depth - 1))
        .sum()
}

/// Returns the same position seen from the other chair: rotated by 180 degrees, sides exchanged.
///
/// Every rule treats both sides alike, so a flipped position has the flipped moves.
pub(crate) fn flip(board: &Board) -> Board {
    let mut flipped = Board::empty(board.turn.other());
    for number in 1..=32 {
        if let Some((colour, kind)) = board.at(number) {
            flipped.put(33 - number, Some((colour.other(), kind)));
        }
    }
    flipped
}

/// The four diagonal directions, as steps in files and ranks.
const DIRECTIONS: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// Returns the file and the rank of a square, both counted from 0, so that a1 is (0, 0).
///
/// Numbers run from the top row down and from left to right; on the odd ranks (counted from 0, so
/// the top row is one) the first dark square is on the b file, on the even ones on the a file.
fn coordinates(number: u8) -> (i32, i32) {
    let index = i32::from(number) - 1;
    let rank = 7 - index / 4;
    let file = 2 * (index % 4) + rank % 2;
    (file, rank)
}

/// Returns whether a square is on the row where men of this colour are crowned.
fn is_last_row(colour: Colour, number: u8) -> bool {
    coordinates(number).1 == colour.last_rank()
}

/// Returns the next square in a direction, or nothing at the edge.
///
/// It searches all squares for the right file and rank, so it cannot disagree with
/// [`coordinates`].
fn neighbour(number: u8, direction: (i32, i32)) -> Option<u8> {
    let (file, rank) = coordinates(number);
    let wanted = (file + direction.0, rank + direction.1);
    (1..=32).find(|&other| coordinates(other) == wanted)
}

/// Returns all squares in a direction, nearest first, up to the edge and whatever stands there.
fn ray(number: u8, direction: (i32, i32)) -> Vec<u8> {
    let mut squares = Vec::new();
    let mut here = number;
    while let Some(next) = neighbour(here, direction) {
        squares.push(next);
        here = next;
    }
    squares
}

/// Returns the empty squares at the head of a row of squares, up to the first piece.
fn leading_empty(board: &Board, squares: &[u8]) -> Vec<u8> {
    squares
        .iter()
        .copied()
        .take_while(|&number| board.at(number).is_none())
        .collect()
}

/// One way to play a move, finished or still under way.
#[derive(Clone)]
struct Line {
    /// The squares stood on so far, the start first.
    path: Vec<u8>,
    /// The victims so far, all of which still stand on the board.
    captured: BTreeSet<u8>,
    /// What the piece is by now: a Russian man may be crowned on the way.
    kind: Kind,
}

impl Line {
    /// Returns the line of a piece that has not moved yet.
    fn new(from: u8, kind: Kind) -> Self {
        Self {
            path: vec![from],
            captured: BTreeSet::new(),
            kind,
        }
    }

    /// Returns the square the piece left.
    fn from(&self) -> u8 {
        self.path[0]
    }

    /// Returns the square the piece stands on.
    fn to(&self) -> u8 {
        *self.path.last().expect("a line has its start")
    }

    /// Returns the line with one more square stood on.
    fn stepped(&self, to: u8) -> Self {
        let mut longer = self.clone();
        longer.path.push(to);
        longer
    }

    /// Returns the line with one more victim and the landing behind it.
    ///
    /// A Russian man that lands on the last row is a king from there on; in Pool and Brazilian it
    /// stays a man while it passes.
    fn jumped(&self, movement: Movement, colour: Colour, jump: &Jump) -> Self {
        let mut longer = self.stepped(jump.landing);
        longer.captured.insert(jump.victim);
        if movement == Movement::Russian {
            longer.crown_on_last_row(colour);
        }
        longer
    }

    /// Crowns the piece if it stands on its last row.
    fn crown_on_last_row(&mut self, colour: Colour) {
        if is_last_row(colour, self.to()) {
            self.kind = Kind::King;
        }
    }
}

/// One jump over one enemy piece.
struct Jump {
    /// The square of the piece jumped over.
    victim: u8,
    /// The empty square behind it that the jumper comes to stand on.
    landing: u8,
}

/// Returns the squares of the side to move with what stands there.
fn own_pieces(board: &Board) -> Vec<(u8, Kind)> {
    let mut pieces = Vec::new();
    for number in 1..=32 {
        if let Some((colour, kind)) = board.at(number)
            && colour == board.turn
        {
            pieces.push((number, kind));
        }
    }
    pieces
}

/// Returns every way to play every quiet move; a man that reaches its last row is crowned.
fn all_quiet_moves(board: &Board) -> Vec<Line> {
    let mut lines = Vec::new();
    for (from, kind) in own_pieces(board) {
        for to in quiet_targets(board, from, kind) {
            let mut line = Line::new(from, kind).stepped(to);
            line.crown_on_last_row(board.turn);
            lines.push(line);
        }
    }
    lines
}

/// Returns where a piece can go without capturing: a man one square forward, a king any distance.
fn quiet_targets(board: &Board, from: u8, kind: Kind) -> Vec<u8> {
    let mut targets = Vec::new();
    for direction in DIRECTIONS {
        let free = leading_empty(board, &ray(from, direction));
        match kind {
            Kind::King => targets.extend(free),
            Kind::Man if direction.1 == board.turn.forward() => targets.extend(free.first()),
            Kind::Man => {}
        }
    }
    targets
}

/// Returns every way to play every legal capture.
///
/// The square the piece leaves counts as empty during its capture, hence the lifted board. In
/// Brazilian only the captures of most pieces are legal; men and kings count the same.
fn all_captures(movement: Movement, board: &Board) -> Vec<Line> {
    let mut lines = Vec::new();
    for (from, kind) in own_pieces(board) {
        let mut lifted = board.clone();
        lifted.put(from, None);
        extend(movement, &lifted, &Line::new(from, kind), &mut lines);
    }
    lines.retain(|line| !line.captured.is_empty());
    if movement == Movement::Brazilian {
        let most = lines.iter().map(|line| line.captured.len()).max();
        lines.retain(|line| Some(line.captured.len()) == most);
    }
    lines
}

/// Follows a capture to all its ends, for a capture that can go on must go on.
///
/// A man that ends on its last row is crowned there. A piece that cannot capture at all ends where
/// it stands with no victims, and the caller drops it.
fn extend(movement: Movement, lifted: &Board, line: &Line, ends: &mut Vec<Line>) {
    let jumps = legal_jumps(movement, lifted, line);
    if jumps.is_empty() {
        let mut end = line.clone();
        end.crown_on_last_row(lifted.turn);
        ends.push(end);
    }
    for jump in &jumps {
        let longer = line.jumped(movement, lifted.turn, jump);
        extend(movement, lifted, &longer, ends);
    }
}

/// Returns the next jumps of a capture, those of a king limited by the landing rule.
///
/// The landing rule takes each victim by itself: if the king could jump again from some of the
/// squares behind it, it must land on one of those. It looks one jump ahead and compares no
/// lengths. Brazilian needs no such rule, since landing where the capture breaks off is never the
/// capture of most pieces.
fn legal_jumps(movement: Movement, lifted: &Board, line: &Line) -> Vec<Jump> {
    let jumps = possible_jumps(lifted, line);
    if line.kind == Kind::Man || movement == Movement::Brazilian {
        return jumps;
    }
    let goes_on = |jump: &Jump| {
        let next = line.jumped(movement, lifted.turn, jump);
        !possible_jumps(lifted, &next).is_empty()
    };
    let must_go_on: BTreeSet<u8> = jumps
        .iter()
        .filter(|jump| goes_on(jump))
        .map(|jump| jump.victim)
        .collect();
    jumps
        .into_iter()
        .filter(|jump| !must_go_on.contains(&jump.victim) || goes_on(jump))
        .collect()
}

/// Returns every jump over an enemy piece with an empty square behind it.
fn possible_jumps(lifted: &Board, line: &Line) -> Vec<Jump> {
    let mut jumps = Vec::new();
    for direction in DIRECTIONS {
        let ahead = ray(line.to(), direction);
        let free = leading_empty(lifted, &ahead).len();
        if line.kind == Kind::Man && free > 0 {
            continue;
        }
        let Some(&victim) = ahead.get(free) else {
            continue;
        };
        if !is_fresh_enemy(lifted, line, victim) {
            continue;
        }
        let behind = leading_empty(lifted, &ahead[free + 1..]);
        let reach = match line.kind {
            Kind::Man => 1,
            Kind::King => behind.len(),
        };
        for landing in behind.into_iter().take(reach) {
            jumps.push(Jump { victim, landing });
        }
    }
    jumps
}

/// Returns whether a piece may be jumped: an enemy that this capture has not jumped already.
///
/// Victims stay on the board until the move is over, so a second meeting blocks the way.
fn is_fresh_enemy(lifted: &Board, line: &Line, number: u8) -> bool {
    let is_enemy = lifted
        .at(number)
        .is_some_and(|(colour, _)| colour != lifted.turn);
    is_enemy && !line.captured.contains(&number)
}

/// What makes two ways to play one move: start, end, sorted victims, promotion.
type Key = (u8, u8, Vec<u8>, bool);

/// Gathers the ways to play into moves, one for each key and in the order of the keys.
fn merge(board: &Board, lines: Vec<Line>) -> Vec<SlowMove> {
    let mut ways: BTreeMap<Key, BTreeSet<Vec<u8>>> = BTreeMap::new();
    for line in lines {
        let was_man = board.at(line.from()) == Some((board.turn, Kind::Man));
        let promotes = was_man && line.kind == Kind::King;
        let captured: Vec<u8> = line.captured.iter().copied().collect();
        let key: Key = (line.from(), line.to(), captured, promotes);
        ways.entry(key).or_default().insert(line.path);
    }
    ways.into_iter()
        .map(|((from, to, captured, promotes), paths)| SlowMove {
            from,
            to,
            captured,
            promotes,
            paths: paths.into_iter().collect(),
        })
        .collect()
}
