#![no_main]
libfuzzer_sys::fuzz_target!(|_: &[u8]| {});
