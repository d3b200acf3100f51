//! See `dxp_frame` in `checks.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mainroad_fuzz::dxp_frame(bytes));
