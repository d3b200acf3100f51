//! Diagrams as SVG: well-formed, self-contained, every piece, label and mark in its place.

use crate::support::{Rng, random_position};
use mainroad::board::{Position, Side, Square};
use mainroad::notation::diagram::Labels;
use mainroad::notation::svg::{self, Arrow, LastMove};
use mainroad::notation::{fen, moves};
use mainroad::rules::{Game, Pool, Rules, Russian};
use std::collections::BTreeSet;

/// An element: its tag with attributes, and the text directly behind its start tag.
struct Element {
    tag: String,
    text: String,
}

impl Element {
    /// Returns the value of an attribute, or nothing.
    fn attribute(&self, name: &str) -> &str {
        let value = self.tag.split_once(&format!(" {name}=\"")).map(|it| it.1);
        value
            .and_then(|value| value.split_once('"'))
            .map_or("", |it| it.0)
    }
}

/// Reads a document of elements with quoted attributes and no references: enough to see that it is well-formed.
#[track_caller]
fn elements(document: &str) -> Vec<Element> {
    assert!(document.starts_with("<svg ") && document.ends_with("</svg>\n"));
    assert!(document.is_ascii() && !document.contains('&'));
    let (mut open, mut elements) = (Vec::new(), Vec::new());
    for piece in document.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{piece}");
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default().to_owned());
        }
        elements.push(Element {
            tag: tag.to_owned(),
            text: text.to_owned(),
        });
    }
    assert!(open.is_empty(), "{open:?} is not closed");
    elements
}

/// Returns the middle of a square, 60 wide, on a board that begins at 30.
fn middle(square: Square) -> (u32, u32) {
    let (rank, file) = (u32::from(square.rank()), u32::from(square.file()));
    (60 + 60 * file, 480 - 60 * rank)
}

fn square(number: u8) -> Square {
    Square::from_number(number).expect("in range")
}

fn text_of(elements: &[Element], name: &str) -> String {
    let mut found = elements
        .iter()
        .filter(|element| element.tag.split(' ').next() == Some(name));
    let text = found.next().expect("it is there").text.clone();
    assert_eq!(found.count(), 0, "{name} is there once");
    text
}

#[track_caller]
fn position(text: &str) -> Position {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays moves from a position and draws what comes of it.
fn after<R: Rules>(start: &str, texts: &str, labels: Labels) -> String {
    let mut game = Game::<R>::from_position(position(start));
    for text in texts.split(' ') {
        let mv = moves::parse::<R>(game.position(), text).expect("the move is legal");
        game.play(mv);
    }
    svg::draw(
        game.position(),
        labels,
        LastMove::of(&game, labels).as_ref(),
    )
}

#[test]
fn a_diagram_needs_nothing_else() {
    let start = "W:W21-32:B1-12";
    for document in [
        svg::draw(&position(start), Labels::Numbers, None),
        after::<Russian>(start, "c3-d4 f6-e5 d4:f6 e7:g5", Labels::Letters),
    ] {
        let elements = elements(&document);
        let root = &elements[0];
        assert_eq!(root.attribute("xmlns"), "http://www.w3.org/2000/svg");
        assert_eq!(root.attribute("role"), "img");
        let (width, height) = (root.attribute("width"), root.attribute("height"));
        assert_eq!(root.attribute("viewBox"), format!("0 0 {width} {height}"));
        assert!(
            elements[1].tag.starts_with("title"),
            "browsers read it there"
        );
        for outside in [
            "href", "url(", "id=", "style", "script", "class", "<!", "<?",
        ] {
            assert!(!document.contains(outside), "{outside}");
        }
        assert_eq!(document.matches("http").count(), 1);
    }
}

#[test]
fn every_piece_is_drawn_where_it_stands() {
    let mut rng = Rng(7);
    for _ in 0..200 {
        let pos = random_position(&mut rng, 8, 4);
        let elements = elements(&svg::draw(&pos, Labels::Letters, None));
        let circles = |radius: &str| {
            let circles = elements
                .iter()
                .filter(|element| element.attribute("r") == radius);
            circles
                .map(|circle| {
                    let number = |name| circle.attribute(name).parse().expect("a number");
                    (number("cx"), number("cy"))
                })
                .collect::<Vec<(u32, u32)>>()
        };
        let crowns = elements.iter().filter(|element| {
            element.tag.starts_with("path ")
                && element
                    .attribute("d")
                    .ends_with("l-3-17 8 7 6-12 6 12 8-7-3 17z")
        });
        // A crown's path begins at its lower left corner.
        let crowns = crowns.map(|crown| crown.attribute("d").split('l').next());
        let crowns: Vec<_> = crowns.map(|place| place.map(str::to_owned)).collect();
        let (mut pieces, mut men, mut kings) = (Vec::new(), Vec::new(), Vec::new());
        for side in Side::BOTH {
            pieces.extend(pos.pieces(side).squares().map(middle));
            men.extend(pos.men(side).squares().map(middle));
            let crown = |square| {
                let (x, y) = middle(square);
                Some(format!("M{} {}", x - 11, y + 10))
            };
            kings.extend(pos.kings(side).squares().map(crown));
        }
        assert_eq!((circles("21"), circles("14")), (pieces, men), "{pos:?}");
        assert_eq!(crowns, kings, "{pos:?}");
    }
}

#[test]
fn squares_have_numbers_or_letters() {
    let texts = |labels| {
        let elements = elements(&svg::draw(&Pool::start(), labels, None));
        let labels = elements
            .iter()
            .filter(|element| element.tag.starts_with("text x=") && element.text.len() <= 2);
        let mut texts: Vec<String> = labels.map(|label| label.text.clone()).collect();
        texts.sort_unstable();
        texts
    };
    let mut numbers: Vec<String> = (1..=32).map(|number: u8| number.to_string()).collect();
    numbers.sort_unstable();
    assert_eq!(texts(Labels::Numbers), numbers);
    let letters: Vec<String> = "12345678abcdefgh"
        .chars()
        .flat_map(|label| [label.to_string(), label.to_string()])
        .collect();
    assert_eq!(texts(Labels::Letters), letters);

    let numbered = elements(&svg::draw(&Pool::start(), Labels::Numbers, None));
    for number in 1..=32 {
        let label = numbered
            .iter()
            .find(|element| element.text == number.to_string())
            .expect("it is there");
        let (x, y) = middle(square(number));
        let place = (label.attribute("x"), label.attribute("y"));
        let expected = (&*(x - 26).to_string(), &*(y - 18).to_string());
        assert_eq!(place, expected, "{number} is in the corner of its square");
    }
}

/// Checks which squares are framed, joined and crossed.
#[track_caller]
fn check_marks(document: &str, framed: &[u8], joined: &[u8], crossed: &[u8]) {
    const FRAME: &str = "h58v58h-58z";
    const CROSS: &str = "l24 24m-24 0l24-24";
    let elements = elements(document);
    // What the paths of one kind begin with, of one path or of many.
    let corners = |end: &str| {
        let paths = elements.iter().map(|element| element.attribute("d"));
        let paths: String = paths.filter(|path| path.ends_with(end)).collect();
        let corners = paths.split(end).filter(|corner| !corner.is_empty());
        corners.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let expected = |numbers: &[u8], half: u32| {
        let corner = |&number: &u8| {
            let (x, y) = middle(square(number));
            format!("M{} {}", x - half, y - half)
        };
        numbers.iter().map(corner).collect::<BTreeSet<String>>()
    };
    assert_eq!(corners(FRAME), expected(framed, 29), "framed");
    assert_eq!(corners(CROSS), expected(crossed, 12), "crossed");
    let lines = elements
        .iter()
        .filter(|element| element.tag.starts_with("polyline "));
    let points: String = lines.map(|line| line.attribute("points")).collect();
    let point = |&number: &u8| {
        let (x, y) = middle(square(number));
        format!("{x},{y}")
    };
    let expected: Vec<String> = joined.iter().map(point).collect();
    assert_eq!(points, expected.join(" "), "joined");
}

#[test]
fn the_last_move_is_marked() {
    let start = "B:W21-32:B1-12";
    check_marks(
        &svg::draw(&Pool::start(), Labels::Numbers, None),
        &[],
        &[],
        &[],
    );
    check_marks(
        &after::<Pool>(start, "11-15", Labels::Numbers),
        &[11, 15],
        &[11, 15],
        &[],
    );
    check_marks(
        &after::<Pool>(start, "11-15 22-18 15x22", Labels::Numbers),
        &[15, 22],
        &[15, 22],
        &[18],
    );
    // By several squares, one of them crossed twice and stood on once.
    check_marks(
        &after::<Pool>("W:WK5:BK6,8,10,16,17,18,24,25,26", "5x28", Labels::Numbers),
        &[3, 5, 12, 14, 19, 21, 23, 28, 30],
        &[5, 23, 12, 3, 14, 21, 30, 19, 28],
        &[8, 10, 16, 17, 18, 24, 25, 26],
    );
    // A round trip.
    let round = after::<Pool>("B:WK6,7,K14,16,18,24,26:BK4,K13", "13x13", Labels::Numbers);
    check_marks(
        &round,
        &[2, 11, 13, 20, 31],
        &[13, 31, 20, 11, 2, 13],
        &[6, 7, 16, 24, 26],
    );
}

/// A broken arrow for the move that was played, a whole one for the better, each with its head on the last square.
#[test]
fn a_choice_is_two_arrows() {
    let pos = position("W:W22,23:B9");
    let arrow = |text: &str| {
        let mv = moves::parse::<Pool>(&pos, text).expect("the move is legal");
        Arrow::of::<Pool>(&pos, mv)
    };
    let document = svg::draw_choice(&pos, Labels::Numbers, &arrow("22-17"), &arrow("23-19"));
    let elements = elements(&document);
    let lines = elements
        .iter()
        .filter(|element| element.tag.starts_with("polyline "));
    let lines: Vec<(&str, &str)> = lines
        .map(|line| (line.attribute("points"), line.attribute("stroke-dasharray")))
        .collect();
    let way = |from: u8, to: u8| {
        let [(x, y), (to_x, to_y)] = [from, to].map(|number| middle(square(number)));
        format!("{x},{y} {to_x},{to_y}")
    };
    assert_eq!(lines, [(&*way(23, 19), "none"), (&*way(22, 17), "2 14")]);
    let heads = elements
        .iter()
        .filter(|element| element.attribute("d").contains('L'));
    assert_eq!(heads.count(), 2);
    let title = "Draughts: White: 22-17 was played, 23-19 is better";
    assert_eq!(text_of(&elements, "title"), title);
}

#[test]
fn the_words_say_what_the_picture_shows() {
    let document = after::<Russian>("W:Wc3,Kh2:Bd4,Kb8,a7", "c3:e5", Labels::Letters);
    let elements = elements(&document);
    assert_eq!(
        text_of(&elements, "title"),
        "Draughts: c3:e5, Black to move"
    );
    assert_eq!(
        text_of(&elements, "desc"),
        "White: men e5; kings h2. Black: men a7; kings b8. FEN B:W15,K28:BK1,5"
    );
    let numbers = after::<Russian>("W:Wc3,Kh2:Bd4,Kb8,a7", "c3:e5", Labels::Numbers);
    assert!(numbers.contains("<title>Draughts: 22x15, Black to move</title>"));
    assert!(numbers.contains("<desc>White: men 15; kings 28. Black: men 5; kings 1. FEN "));
    let empty = svg::draw(&position("B:W:B"), Labels::Letters, None);
    assert!(empty.contains("<title>Draughts: Black to move</title>"));
    assert!(empty.contains("<desc>White: no pieces. Black: no pieces. FEN B:W:B</desc>"));
    let kings = svg::draw(&position("W:WK1,K9:B12,5"), Labels::Numbers, None);
    assert!(kings.contains("<desc>White: kings 1, 9. Black: men 5, 12. FEN "));
}
