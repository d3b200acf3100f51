//! Training at small scale: the same games however they are made, the same weights from them, damage that is noticed, and a learned evaluation that
//! is the same whichever way it is computed.

use crate::support::{Rng, random_position};
use mainroad::board::Position;
use mainroad::egdb::Value;
use mainroad::eval::network::{self, BUCKETS, FEATURES, HIDDEN, Network};
use mainroad::eval::weights::{About, Weights, WeightsFault};
use mainroad::eval::{Evaluation, Wdl, WdlModel};
use mainroad::notation::fen;
use mainroad::rules::{Game, Pool, Rules, RussianMovement};
use mainroad::score::Score;
use mainroad::tools::training::data::{DataFault, DataReader, Packed, PlayedGame};
use mainroad::tools::training::fit::Epoch;
use mainroad::tools::training::model::{CENTIMEN_PER_LOGIT, Model, WEIGHTS, cross_entropy};
use mainroad::tools::training::report::loss_svg;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns a folder of its own for the files of a test.
fn folder(test: &str) -> PathBuf {
    let name = format!("training-{test}-{}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

/// Runs the program with arguments that have blanks between them.
fn run(args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mainroad"));
    let run = command.args(args.split_whitespace()).output();
    run.expect("the program was built")
}

/// Runs the program, which must succeed, and returns its output.
#[track_caller]
fn succeed(args: &str) -> String {
    let output = run(args);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args}: {err}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// Runs the program, which must fail with one line that has all of some parts.
#[track_caller]
fn fail(args: &str, code: i32, parts: &[&str]) {
    let output = run(args);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args}: {err}");
    for part in parts {
        assert!(err.contains(part), "{args}: {err}");
    }
}

/// Makes a small file of games.
#[track_caller]
fn games(path: &Path, options: &str) -> Vec<u8> {
    let path_text = path.display();
    succeed(&format!(
        "train games --net handmade --nodes 60 --seed 7 {options} --out {path_text}"
    ));
    fs::read(path).expect("it was written")
}

fn read(bytes: &[u8]) -> Vec<PlayedGame> {
    let mut reader = DataReader::new(bytes).expect("its head is in order");
    std::iter::from_fn(|| reader.game().expect("its games are in order")).collect()
}

/// Threads, kills and a second run with a larger number make no difference.
#[test]
fn games_follow_from_their_seed() {
    let folder = folder("seed");
    let path = folder.join("whole.games");
    let whole = games(&path, "--positions 3000 --threads 1");
    let again = games(
        &folder.join("threads.games"),
        "--positions 3000 --threads 3",
    );
    assert!(whole == again, "more threads");
    let short = games(&folder.join("short.games"), "--positions 1000 --threads 2");
    assert!(whole.starts_with(&short), "fewer positions");
    let torn = folder.join("torn.games");
    for length in [
        0,
        10,
        200,
        short.len() - 1,
        short.len(),
        short.len() + 9,
        whole.len(),
    ] {
        fs::write(&torn, &whole[..length]).expect("it can be written");
        let resumed = games(&torn, "--positions 3000 --threads 2");
        assert!(whole == resumed, "resumed after {length} bytes");
    }
    fail(
        &format!(
            "train games --net handmade --nodes 61 --seed 7 --out {}",
            path.display()
        ),
        1,
        &["whole.games", "it is of other games"],
    );
    assert!(fs::read(&path).expect("it is there") == whole, "left alone");
}

/// The parts of a job are disjoint, and together they are the whole.
#[test]
fn shards_are_the_whole() {
    let folder = folder("shards");
    let whole = read(&games(&folder.join("whole.games"), "--positions 4500"));
    let parts = [1, 2].map(|part| {
        let path = folder.join(format!("{part}.games"));
        read(&games(&path, &format!("--positions 2000 --shard {part}/2")))
    });
    let joined = parts[0].iter().zip(&parts[1]);
    let joined: Vec<&PlayedGame> = joined.flat_map(|(a, b)| [a, b]).collect();
    let common = joined.len().min(whole.len());
    assert!(common > 20, "{common} games");
    assert!(whole.iter().zip(joined).all(|(a, b)| a == b));
}

/// Positions are quiet and possible, results of neighbours fit together, and what the tables know is what they say.
#[test]
fn games_make_sense() {
    let path = folder("sense").join("pool.games");
    let all = read(&games(&path, "--variant pool --positions 4000"));
    let tables = mainroad::egdb::Tables::<Pool>::embedded().expect("they are in order");
    let mut settled = 0;
    for game in &all {
        for sample in &game.samples {
            let pos = sample.pos.position().expect("it is a position");
            assert!(!mainroad::rules::has_capture(&pos), "{}", fen::write(&pos));
            assert_eq!(sample.is_threatened, mainroad::rules::is_threatened(&pos));
            if sample.score.is_none() && pos.occupied().count() <= 5 {
                assert_eq!(tables.probe_wdl(&pos), Some(sample.result));
                settled += 1;
            }
        }
    }
    assert!(settled > 20, "{settled} positions of tables");
    let results = |value: Value| {
        let samples = all.iter().flat_map(|game| &game.samples);
        samples.filter(|sample| sample.result == value).count()
    };
    for value in [Value::Loss, Value::Draw, Value::Win] {
        assert!(results(value) > 100, "{value:?}");
    }
}

/// Below the errors stand whole epochs, from the first to the last if there are few, and one alone is seen too.
#[test]
fn epochs_are_numbered() {
    for (count, numbers) in [
        (1, &["1"][..]),
        (2, &["1", "2"]),
        (3, &["1", "2", "3"]),
        (10, &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]),
        (11, &["2", "4", "6", "8", "10"]),
        (40, &["5", "10", "15", "20", "25", "30", "35", "40"]),
        (300, &["50", "100", "150", "200", "250", "300"]),
    ] {
        let epochs: Vec<Epoch> = (1..=count)
            .map(|number| Epoch {
                number,
                learned: 0.5,
                held_out: 0.6,
            })
            .collect();
        let svg = loss_svg(&epochs);
        let below = svg.lines().filter(|line| line.contains("y=\"366.0\""));
        let below: Vec<&str> = below
            .map(|line| line.split(['>', '<']).nth(2).expect("it has a text"))
            .collect();
        assert_eq!(below, numbers, "{count}");
        let dots = svg.matches("<circle ").count();
        assert_eq!(dots, if count == 1 { 2 } else { 0 }, "{count}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

/// Games, weights from them, a look at both, and a game that is played with them: every command of the recipe, at small scale.
#[test]
fn the_whole_way() {
    let folder = folder("way");
    let path = |name: &str| folder.join(name).display().to_string();
    let (data, net, report) = (path("r.games"), path("r.net"), path("report"));
    games(Path::new(&data), "--positions 6000");
    let checked = succeed(&format!("train check {data}"));
    assert!(
        checked.contains("positions") && checked.contains("win"),
        "{checked}"
    );

    let fit = |net: &str, more: &str| {
        succeed(&format!(
            "train fit {data} --epochs 40 --step 0.01 --out {net} {more}"
        ));
        fs::read(net).expect("it was written")
    };
    let first = fit(&net, &format!("--threads 1 --report {report}"));
    let second = fit(&path("again.net"), "--threads 3");
    assert!(first == second, "more threads give other weights");
    for (name, part) in [
        ("report.md", "held out"),
        ("loss.svg", "</svg>"),
        ("calibration.svg", "</svg>"),
    ] {
        let text = fs::read_to_string(folder.join("report").join(name)).expect("it was written");
        assert!(text.contains(part), "{name}");
    }
    let checked = succeed(&format!("train check {net} --games {data}"));
    assert!(
        checked.contains("weights for russian") && checked.contains("| expected |"),
        "{checked}"
    );

    // Positions of several games are learned together.
    let (pool, both) = (path("p.games"), path("both.net"));
    games(Path::new(&pool), "--variant pool --positions 1000");
    succeed(&format!(
        "train fit {data} {pool} {data} --epochs 2 --out {both}"
    ));
    let checked = succeed(&format!("train check {both}"));
    assert!(checked.contains("weights for russian + pool,"), "{checked}");

    // A game that comes again counts once, so what is held out stays so; and what is learned from is not written over.
    let twice = run(&format!(
        "train fit {data} {data} --epochs 40 --step 0.01 --out {both}"
    ));
    let err = String::from_utf8_lossy(&twice.stderr);
    assert!(
        err.contains("left out: ") && err.contains("that were there before"),
        "{err}"
    );
    let [once, twice] =
        [&net, &both].map(|net| Weights::open(Path::new(net)).expect("it is in order"));
    assert_eq!(once.network, twice.network);
    let before = fs::read(&data).expect("it is there");
    let spoil = format!("train fit {pool} {data} --epochs 1 --out {data}");
    fail(&spoil, 1, &["--out", "r.games", "expected another"]);
    assert!(fs::read(&data).expect("it is there") == before);

    // It has learned what men are worth.
    let weights = Weights::open(Path::new(&net)).expect("it is in order");
    let ahead = fen::parse("W:W21,22,23,25,26,27,30:B1,2,3,5,6").expect("it is a position");
    let score = weights.network.evaluate(&ahead);
    assert!(score > Score(20), "{score:?}");
    let score = weights.network.evaluate(&ahead.passed());
    assert!(score < Score(-20), "{score:?}");

    let engine = format!("self:hash=1,book=none,net={net}");
    let played = succeed(&format!(
        "match --engine {engine} --engine self:hash=1,book=none,net=material --games 2 --time-control nodes=100 --journal none --json"
    ));
    assert!(
        played.contains("\"games\":2") || played.lines().count() == 3,
        "{played}"
    );

    // The next generation plays with them.
    let later = path("later.games");
    succeed(&format!(
        "train games --net {net} --nodes 40 --positions 200 --out {later}"
    ));
    let checked = succeed(&format!("train check {later}"));
    assert!(checked.contains("\"net\":\"crc32 "), "{checked}");
}

/// A file with one byte changed is refused wherever that byte is.
#[test]
fn damage_is_noticed() {
    let folder = folder("damage");
    let data = folder.join("r.games");
    let whole = games(&data, "--positions 300");
    for at in (0..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        let outcome = DataReader::new(&bytes[..]).and_then(|mut reader| {
            while reader.game()?.is_some() {}
            Ok(())
        });
        let fault = outcome.expect_err("a byte is wrong");
        assert!(!matches!(fault, DataFault::Io(_)), "{fault}");
    }
    let mut bytes = whole.clone();
    bytes[whole.len() / 2] ^= 1;
    fs::write(&data, &bytes).expect("it can be written");
    let data = data.display();
    fail(
        &format!("train check {data}"),
        1,
        &["bad games", "r.games", "damaged"],
    );
    let net = folder.join("r.net");
    fail(
        &format!("train fit {data} --out {}", net.display()),
        1,
        &["bad games", "damaged"],
    );
    assert!(!net.exists());

    let whole = some_weights();
    for at in (0..whole.len()).step_by(101) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        assert!(Weights::parse(&bytes).is_err(), "byte {at}");
    }
    for length in (0..whole.len()).step_by(97) {
        assert!(Weights::parse(&whole[..length]).is_err(), "{length} bytes");
    }
    let mut bytes = whole;
    bytes[5000] ^= 1;
    fs::write(&net, bytes).expect("it can be written");
    fail(
        &format!("bench --depth 1 --net {}", net.display()),
        2,
        &["r.net", "damaged: the checksum differs"],
    );
    fail(
        &format!("train check {}", net.display()),
        1,
        &["bad weights", "r.net", "the checksum differs"],
    );
}

/// Weights with which a sum could overflow are refused, and those just below that are summed as they should be.
#[test]
fn sums_cannot_overflow() {
    let check = |bias: i32, feature: i16, fits: bool| {
        let mut net = Network {
            biases: [i16::from(u8::MAX); HIDDEN],
            output_biases: [bias; BUCKETS],
            outputs: [[[i16::MAX; HIDDEN]; 2]; BUCKETS],
            ..random_network(1)
        };
        net.features.fill([0; HIDDEN]);
        net.features[7][HIDDEN - 1] = feature;
        let parsed = Weights::parse(&Weights::to_bytes(&about_of_test(), &net, &some_wdl()));
        assert_eq!(parsed.is_ok(), fits, "bias {bias}, feature {feature}");
        let pos = fen::parse("W:W21,K22:BK3,5").expect("it is a position");
        if fits {
            assert_eq!(net.evaluate(&pos), slow_score(&net, &pos), "bias {bias}");
        } else {
            assert!(matches!(parsed, Err(WeightsFault::TooLarge)));
        }
    };
    check(0, 1000, true);
    check(1 << 24, 1000, true);
    check(1 << 25, 1000, false);
    check(-(1 << 25), 1000, false);
    check(0, 1500, false);
}

/// A client that names a bad file is told, and the weights before stay.
#[test]
fn bad_weights_leave_the_old_ones() {
    let folder = folder("old");
    let (good, bad) = (folder.join("good.net"), folder.join("bad.net"));
    let bytes = some_weights();
    fs::write(&good, &bytes).expect("it can be written");
    fs::write(&bad, &bytes[..bytes.len() - 1]).expect("it can be written");
    let mut options = mainroad::engine::Options::default();
    let good = good.display().to_string();
    options.set("net", &good).expect("it is in order");
    let error = options.set("net", &bad.display().to_string());
    let error = error.expect_err("it is short").to_string();
    assert!(
        error.contains("bad.net") && error.contains("bytes"),
        "{error}"
    );
    assert!(!error.contains('\n'), "{error}");
    assert_eq!(options.value("net"), Some(good));
}

fn random_network(seed: u64) -> Network {
    let mut rng = Rng(seed);
    let mut weight = |limit: i16| rng.below(2 * limit as usize + 1) as i16 - limit;
    Network {
        biases: std::array::from_fn(|_| weight(300)),
        features: std::array::from_fn(|_| std::array::from_fn(|_| weight(200))),
        output_biases: std::array::from_fn(|_| i32::from(weight(15_000)) * 32),
        outputs: std::array::from_fn(|_| {
            std::array::from_fn(|_| std::array::from_fn(|_| weight(800)))
        }),
    }
}

fn some_weights() -> Vec<u8> {
    let about = About {
        game: "russian".to_owned(),
        hidden: HIDDEN,
        buckets: BUCKETS,
        recipe: serde_json::Value::Null,
    };
    Weights::to_bytes(&about, &random_network(1), &some_wdl())
}

fn some_wdl() -> WdlModel {
    WdlModel {
        offsets: [16 * 80; BUCKETS],
        scatters: [16 * 40; BUCKETS],
    }
}

/// The score by its definition, one number after the other.
fn slow_score(net: &Network, pos: &Position) -> Score {
    let unit = |side, unit: usize| {
        let mut sum = i64::from(net.biases[unit]);
        network::each_feature(pos, side, |feature| {
            sum += i64::from(net.features[feature][unit]);
        });
        let square = sum.clamp(0, i64::from(network::CLIP)).pow(2);
        (square + 128) / 256
    };
    let bucket = network::bucket(pos.occupied().count());
    let mut sum = i64::from(net.output_biases[bucket]);
    for (view, side) in [pos.turn(), pos.turn().opponent()].into_iter().enumerate() {
        for index in 0..HIDDEN {
            sum += unit(side, index) * i64::from(net.outputs[bucket][view][index]);
        }
    }
    let unit = 1 << network::SCORE_SHIFT;
    Score((sum + unit / 2).div_euclid(unit) as i32).clamp_to_eval()
}

/// What is added and taken away from position to position comes to the same as the definition; and both sides are treated alike.
#[test]
fn sums_follow_positions() {
    let net = random_network(5);
    let evaluation = Evaluation::File {
        path: "random".to_owned(),
        weights: Weights::parse(&Weights::to_bytes(&about_of_test(), &net, &some_wdl()))
            .expect("they are in order")
            .into(),
    };
    let mut evaluator = evaluation.evaluator::<RussianMovement>();
    let mut check = |pos: &Position| {
        let score = evaluator.evaluate(pos);
        assert_eq!(score, slow_score(&net, pos), "{}", fen::write(pos));
        assert_eq!(score, net.evaluate(pos), "{}", fen::write(pos));
        assert_eq!(score, net.evaluate(&pos.flipped()), "{}", fen::write(pos));
    };
    let mut rng = Rng(3);
    for _ in 0..300 {
        check(&random_position(&mut rng, 8, 4));
    }
    for _ in 0..30 {
        let mut game = Game::<Pool>::new();
        while game.moves().len() < 120 && !game.legal_moves().is_empty() {
            game.play(*rng.pick(&game.legal_moves()));
            check(game.position());
        }
    }
}

fn about_of_test() -> About {
    About {
        game: Pool::VARIANT.name().to_owned(),
        hidden: HIDDEN,
        buckets: BUCKETS,
        recipe: serde_json::Value::Null,
    }
}

/// The network in integers says what the one that learned says, to about two hundredths of a man.
#[test]
fn integers_say_what_was_learned() {
    let mut model = Model::random(11);
    for weight in &mut model.weights {
        *weight *= 3.0;
    }
    let network = model.quantised();
    let mut rng = Rng(4);
    for _ in 0..500 {
        let pos = random_position(&mut rng, 12, 3);
        let learned = model.logit(Packed::of(&pos)) * CENTIMEN_PER_LOGIT;
        let score = network.evaluate(&pos).0 as f32;
        assert!(
            (learned - score).abs() < 2.0,
            "{learned} {score} {}",
            fen::write(&pos)
        );
    }
}

/// The slope is what the error changes by when a weight changes.
#[test]
fn the_slope_is_right() {
    let model = Model::random(2);
    let mut rng = Rng(8);
    let mut checked = 0;
    for _ in 0..20 {
        let pos = Packed::of(&random_position(&mut rng, 10, 2));
        let target = rng.below(3) as f32 / 2.0;
        let mut slope = vec![0.0; WEIGHTS];
        model.learn(pos, target, &mut slope);
        for _ in 0..200 {
            let index = rng.below(WEIGHTS);
            let error = |change: f32| {
                let mut moved = model.clone();
                moved.weights[index] += change;
                cross_entropy(moved.logit(pos), target)
            };
            let step = 1e-2;
            let (here, up, down) = (error(0.0), error(step), error(-step));
            let (right, left) = ((up - here) / step, (here - down) / step);
            // Where a sum reaches the end of its range the error has a corner.
            if (right - left).abs() < 1e-3 {
                let expected = f32::midpoint(right, left);
                let found = slope[index];
                assert!(
                    (found - expected).abs() < 1e-3,
                    "{index}: {found} {expected}"
                );
                checked += usize::from(expected != 0.0);
            }
        }
    }
    assert!(checked > 100, "{checked} slopes that are not 0");
}

/// Every weights file in the program is whole, of its game, and what the program uses.
#[test]
fn compiled_weights_are_whole() {
    let mut bytes = 0;
    for game in ["russian", "pool", "brazilian"] {
        let name = format!("src/eval/data/{game}.net");
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name);
        let weights = Weights::open(&path).expect("it is in order");
        bytes += fs::metadata(&path).expect("it is there").len();
        let pos = fen::parse("W:W21,22,23,25,26,27,30:B1,2,3,5,6,K9").expect("it is a position");
        let compiled = mainroad::with_rules!(game.parse().expect("it is a game"), R => {
            Evaluation::Learned.evaluator::<<R as Rules>::Movement>().evaluate(&pos)
        });
        assert_eq!(compiled, weights.network.evaluate(&pos), "{game}");
        assert_eq!(weights.about.hidden, HIDDEN);
    }
    assert!(bytes < 2 << 20, "{bytes} bytes");
    assert_eq!(FEATURES, 120);
}

#[test]
fn chances_are_chances() {
    let model = some_wdl();
    let of = |score: i32| model.chances(Score(score), 12);
    let mut before = 0;
    for score in -800..=800 {
        let Wdl { win, draw, loss } = of(score);
        assert_eq!(win + draw + loss, 1000, "{score}");
        assert!(win >= before, "{score}");
        let turned = of(-score);
        assert!(turned.loss.abs_diff(win) <= 1, "{score}");
        before = win;
    }
    assert_eq!(of(80).win, 500);
    let certain = Wdl {
        win: 1000,
        draw: 0,
        loss: 0,
    };
    assert_eq!(model.chances(Score::win_in(9), 12), certain);
    assert_eq!(model.chances(Score::loss_in(9), 12).loss, 1000);
}
