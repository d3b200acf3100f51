//! The page of a game: complete in itself, safe, and as a browser shows it.

use super::{Folder, analyse, games, text};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Makes the pages of the test's games, and returns the folder with them.
fn pages(name: &str) -> Folder {
    let folder = Folder::new(name);
    let path = folder.path("page.html");
    let ran = analyse(&[text(&games()), "--nodes", "20000", "--report", text(&path)]);
    assert_eq!(ran.code, Some(1), "some games are bad: {}", ran.err);
    folder
}

/// Elements that have no end tag.
const VOID: [&str; 2] = ["meta", "br"];

/// Checks that every element is closed where it should be, and returns the start tags.
#[track_caller]
fn tags(page: &str) -> Vec<String> {
    let (mut open, mut tags) = (Vec::new(), Vec::new());
    let page = page.strip_prefix("<!DOCTYPE html>\n").expect("it is HTML");
    for piece in page.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{piece}");
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split(' ').next().unwrap_or_default();
        if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name.to_owned());
        }
        tags.push(tag.to_owned());
    }
    assert!(open.is_empty(), "{open:?} is not closed");
    tags
}

#[test]
fn a_page_needs_nothing_else() {
    let folder = pages("alone");
    // The fifth game is not played here.
    let names: Vec<String> = folder.names();
    assert_eq!(
        names,
        [
            "page-2.html",
            "page-3.html",
            "page-4.html",
            "page-6.html",
            "page.html"
        ]
    );
    for name in names {
        let page = folder.read(&name);
        let tags = tags(&page);
        for tag in &tags {
            for outside in ["script", "link", "img", "iframe", "object", "base"] {
                assert_ne!(tag.split(' ').next(), Some(outside), "{name}: {tag}");
            }
            let attributes: String = tag.split('"').step_by(2).collect();
            assert!(
                !attributes.contains("src=") && !attributes.contains(" on"),
                "{name}: {tag}"
            );
            if let Some((_, link)) = tag.split_once("href=\"") {
                assert!(link.starts_with('#'), "{name}: {tag}");
                let target = link[1..].split('"').next().unwrap_or_default();
                assert!(
                    page.contains(&format!("id=\"{target}\"")),
                    "{name}: {target}"
                );
            }
        }
        assert!(page.contains("default-src 'none'"), "{name}");
        assert!(
            !page.contains("url(") && !page.contains("@import"),
            "{name}"
        );
        // Only a tag of the first game names another place, as text.
        assert_eq!(
            page.matches("://").count(),
            usize::from(name == "page.html"),
            "{name}"
        );
    }
}

#[test]
fn texts_of_the_game_are_only_texts() {
    let folder = pages("texts");
    let page = folder.read("page.html");
    assert!(page.contains("Ann &lt;b&gt;Bold&lt;/b&gt; – Иван Петров"));
    assert!(page.contains("Club &lt;championship&gt; &amp; &quot;friends&quot;"));
    assert!(page.contains("<p>is this &lt;i&gt;sound&lt;/i&gt;?</p>"));
    assert!(!page.contains("Bold</b>") && !page.contains("<i>"));
}

#[test]
fn a_page_shows_what_a_reader_wants_to_know() {
    let folder = pages("shows");
    let page = folder.read("page.html");
    let (_, turn) = page
        .split_once("id=\"turn-7\"")
        .expect("the blunder has a diagram");
    let (turn, _) = turn.split_once("</figure>").expect("it ends");
    assert!(
        turn.contains("4... a7-b6??") && turn.contains("a7-b6 was played, "),
        "{turn}"
    );
    assert!(turn.contains("of the expected score lost") && turn.contains("Better: <b>"));
    assert!(page.contains("<circle class=\"blunder\""), "in the graph");
    assert!(page.contains("<td id=\"move-8\"><a class=\"blunder\" href=\"#turn-7\">a7-b6??</a>"));
    assert!(page.matches("class=\"accuracy\"").count() == 2);
    let bad = folder.read("page-2.html");
    assert!(
        bad.contains("The rest of the game could not be read: <code>"),
        "{bad}"
    );
    let drawn = folder.read("page-4.html");
    assert!(drawn.contains("Drawn by rule: repetition."));
    assert!(drawn.contains("No move lost 0.05"));
    // Moves behind the end are there, without a score.
    assert_eq!(drawn.matches("<td class=\"beyond\">").count(), 3);
}

/// Browsers that can be asked for a picture without a window.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

fn browser(args: &[&str], page: &Path) -> Option<std::process::Output> {
    let common = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        // Nothing outside is reached: whoever asks for a name is told that there is none.
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--virtual-time-budget=2000",
    ];
    let run = |name: &str| {
        let profile = page.with_extension("profile");
        Command::new(name)
            .args(common)
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(args)
            .arg(format!("file://{}", page.display()))
            .output()
            .ok()
    };
    BROWSERS.into_iter().find_map(run)
}

/// A real browser makes the same of the page as it says: nothing is refused, missing or complained of, on a phone, and in the dark.
#[test]
#[expect(clippy::print_stdout, reason = "a skipped test must be seen")]
fn a_browser_shows_the_page() {
    let folder = pages("browser");
    let page = folder.path("page.html");
    let Some(output) = browser(&["--dump-dom"], &page) else {
        println!("SKIPPED: no chromium is here, the page was not shown by a browser");
        return;
    };
    let (dom, log) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{log}");
    assert!(!log.contains("CONSOLE"), "the browser complains: {log}");
    let source = folder.read("page.html");
    for element in ["<figure", "<svg", "<tr", "<circle", "<polyline", "<td"] {
        assert_eq!(
            dom.matches(element).count(),
            source.matches(element).count(),
            "{element}"
        );
    }
    for (name, size, dark) in [("phone", "390,1600", false), ("dark", "1000,1600", true)] {
        let picture = folder.path(&format!("{name}.png"));
        let (shot, size) = (
            format!("--screenshot={}", text(&picture)),
            format!("--window-size={size}"),
        );
        let mut args = vec![shot.as_str(), size.as_str(), "--hide-scrollbars"];
        if dark {
            args.push("--blink-settings=preferredColorScheme=0");
        }
        let output = browser(&args, &page).expect("it was there before");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let bytes = fs::read(&picture).expect("a picture was made").len();
        assert!(
            bytes > 30_000,
            "{name}: there is hardly anything in it: {bytes} bytes"
        );
    }
}

/// The names of the pages behind the first are made up, so they replace pages only: any other file stays as it was, be it read in this run or not, and
/// the run goes on without that page.
#[test]
fn other_files_are_not_replaced() {
    let folder = Folder::new("others");
    let game = "[GameType \"25\"]\n\n1. c3-d4 b6-a5 *\n\n";
    let input = folder.write("page-2.html", &game.repeat(4));
    folder.write("page-3.html", "<p>somebody's page</p>");
    folder.write("page-4.html", "");
    let report = folder.path("page.html");
    let args = [text(&input), "--depth", "2", "--report", text(&report)];
    for _ in 0..2 {
        let ran = analyse(&args);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert_eq!(folder.read("page-2.html"), game.repeat(4));
        assert_eq!(folder.read("page-3.html"), "<p>somebody's page</p>");
        for page in ["page.html", "page-4.html"] {
            assert!(folder.read(page).starts_with("<!DOCTYPE html>"), "{page}");
        }
        let lines: Vec<&str> = ran.err.lines().collect();
        assert_eq!(lines.len(), 2, "{}", ran.err);
        for (line, name) in lines.iter().zip(["page-2.html", "page-3.html"]) {
            let start = format!(
                "mainroad: error: cannot write: {}: ",
                folder.path(name).display()
            );
            assert!(line.starts_with(&start), "{line}");
            assert!(line.contains("expected a page"), "{line}");
        }
    }
    // The first is looked at before anything is done, and the file of --out is another that stays.
    let other = folder.path("page-3.html");
    let ran = analyse(&[text(&input), "--depth", "2", "--report", text(&other)]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_eq!(folder.read("page-3.html"), "<p>somebody's page</p>");
    let out = folder.path("games-2.html");
    let report = folder.path("games.html");
    let args = [
        text(&input),
        "--depth",
        "2",
        "--out",
        text(&out),
        "--report",
        text(&report),
    ];
    let ran = analyse(&args);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(
        folder.read("games-2.html").contains("[%eval"),
        "{}",
        ran.err
    );
}

/// What a killed process has left neither stops a run nor is taken for anything, even if it had the same number and cannot be written; it is
/// removed.
#[cfg(unix)]
#[test]
fn temporary_files_that_were_left_do_no_harm() {
    let folder = Folder::new("left");
    folder.write("games.pdn", "[GameType \"25\"]\n\n1. c3-d4 b6-a5 *\n");
    let script = "for f in page.html out.pdn clean.pdn; do echo old > $f.1.tmp; echo old > $f.$$.tmp; chmod 0 $f.$$.tmp; done; \
                  \"$0\" pdn convert games.pdn clean.pdn || exit 9; \
                  exec \"$0\" analyse games.pdn --depth 2 --report page.html --out out.pdn";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_mainroad")])
        .current_dir(&folder.0)
        .output()
        .expect("sh is there");
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
    assert!(folder.read("page.html").starts_with("<!DOCTYPE html>"));
    for name in ["out.pdn", "clean.pdn"] {
        assert!(folder.read(name).contains("c3-d4"), "{name}");
    }
    let names = folder.names();
    assert!(!names.iter().any(|name| name.ends_with("tmp")), "{names:?}");
}
