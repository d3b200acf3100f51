//! The `mainroad` program.
fn main() {
    let _ = mainroad::protocol::hub::drive(
        std::io::BufReader::new(std::io::stdin()),
        std::io::stdout(),
        mainroad::engine::Options::default(),
        &mut |w| eprintln!("{w}"),
    );
}
