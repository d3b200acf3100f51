//! The faster build of the program, if there is one beside it.
//!
//! The program runs on every x86-64 processor. Nearly all that are in use know more instructions, those of the level x86-64-v3 (AVX2, BMI, LZCNT and
//! others; the levels are those of the psABI of x86-64), and a build for these searches a twelfth faster. A package may have both. The
//! plain one looks for the other when it starts, before it does anything else, and becomes it: same process, same arguments, same streams.
//! Both count the same nodes.

/// Hands over to the faster build beside this one, if there is one of this version and the processor knows its instructions. Otherwise, or if the
/// variable `MAINROAD_PLAIN` is set, returns.
#[cfg(all(unix, target_arch = "x86_64", not(target_feature = "avx2")))]
pub fn prefer_faster_build() {
    use std::env;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    if env::var_os("MAINROAD_PLAIN").is_some() || !knows_level_3() {
        return;
    }
    let Ok(program) = env::current_exe() else {
        return;
    };
    let faster = program.with_file_name(concat!(
        "mainroad-",
        env!("CARGO_PKG_VERSION"),
        "-x86-64-v3"
    ));
    if !faster.is_file() {
        return;
    }
    let mut args = env::args_os();
    let mut command = Command::new(faster);
    if let Some(name) = args.next() {
        command.arg0(name);
    }
    // It returns only if it fails, and then the plain build will do.
    let _ = command.args(args).exec();
}

/// On other systems, and in builds that have the instructions themselves, there is nothing to hand over to.
#[cfg(not(all(unix, target_arch = "x86_64", not(target_feature = "avx2"))))]
pub fn prefer_faster_build() {}

#[cfg(all(unix, target_arch = "x86_64", not(target_feature = "avx2")))]
fn knows_level_3() -> bool {
    use std::arch::is_x86_feature_detected as knows;
    knows!("avx2")
        && knows!("bmi1")
        && knows!("bmi2")
        && knows!("f16c")
        && knows!("fma")
        && knows!("lzcnt")
        && knows!("movbe")
        && knows!("popcnt")
}
