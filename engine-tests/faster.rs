//! The faster build beside the program: handed over to where the processor can, else left alone.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const FASTER: &str = concat!("mainroad-", env!("CARGO_PKG_VERSION"), "-x86-64-v3");

/// Says whether this program would hand over at all here.
fn can_hand_over() -> bool {
    #[cfg(target_arch = "x86_64")]
    let knows = std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("movbe");
    #[cfg(not(target_arch = "x86_64"))]
    let knows = false;
    knows && !cfg!(target_feature = "avx2")
}

/// Copies the program to a folder of its own.
fn copy(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("faster-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("it can be made");
    fs::copy(env!("CARGO_BIN_EXE_mainroad"), folder.join("mainroad")).expect("it was built");
    folder
}

/// Runs the copy and says whether the build beside it answered: a script that writes its arguments.
#[track_caller]
fn check(folder: &Path, is_plain: bool, hands_over: bool) {
    let mut command = Command::new(folder.join("mainroad"));
    command.args(["board", "--fen", "W:WK1:BK32"]);
    command.env_remove("MAINROAD_PLAIN");
    if is_plain {
        command.env("MAINROAD_PLAIN", "1");
    }
    let output = command.output().expect("it can be run");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    assert!(output.status.success(), "{text}");
    let is_script = text == "script: board --fen W:WK1:BK32\n";
    assert_eq!(is_script, hands_over, "{text}");
    assert!(is_script || text.contains("W:WK1:BK32"), "{text}");
}

#[test]
fn the_faster_build_takes_over() {
    let folder = copy("build");
    check(&folder, false, false);
    let script = folder.join(FASTER);
    fs::write(&script, "#!/bin/sh\necho \"script: $*\"\n").expect("it can be written");
    let allow = |mode| fs::set_permissions(&script, fs::Permissions::from_mode(mode));
    allow(0o644).expect("it is ours");
    check(&folder, false, false);
    allow(0o755).expect("it is ours");
    check(&folder, false, can_hand_over());
    check(&folder, true, false);
    // That of another version is left alone.
    fs::rename(&script, folder.join("mainroad-0.0.0-x86-64-v3")).expect("it is there");
    check(&folder, false, false);
    fs::remove_dir_all(&folder).expect("it is there");
}
