//! Pictures of the board in plain text.

use super::{START, position};
use mainroad::notation::diagram::{self, Labels};
use mainroad::rules::{Pool, Russian};

#[test]
fn pictures() {
    let pos = position("B:W21,22,K30:B1,2,K18");
    let letters = "
    a b c d e f g h
  +-----------------+
8 |   b   b   .   . | 8
7 | .   .   .   .   | 7
6 |   .   .   .   . | 6
5 | .   .   .   .   | 5
4 |   .   B   .   . | 4
3 | w   w   .   .   | 3
2 |   .   .   .   . | 2
1 | .   W   .   .   | 1
  +-----------------+
    a b c d e f g h

Black to move";
    assert_eq!(
        diagram::draw(&pos, Labels::usual::<Russian>()),
        letters[1..]
    );
    let numbers = "
    a b c d e f g h
  +-----------------+       +-------------------------+
8 |   b   b   b   b | 8     |     1     2     3     4 |
7 | b   b   b   b   | 7     |  5     6     7     8    |
6 |   b   b   b   b | 6     |     9    10    11    12 |
5 | .   .   .   .   | 5     | 13    14    15    16    |
4 |   .   .   .   . | 4     |    17    18    19    20 |
3 | w   w   w   w   | 3     | 21    22    23    24    |
2 |   w   w   w   w | 2     |    25    26    27    28 |
1 | w   w   w   w   | 1     | 29    30    31    32    |
  +-----------------+       +-------------------------+
    a b c d e f g h

White to move";
    assert_eq!(
        diagram::draw(&position(START), Labels::usual::<Pool>()),
        numbers[1..]
    );
}
