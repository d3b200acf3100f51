//! See `analysis` in `checks.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mainroad_fuzz::analysis(bytes));
