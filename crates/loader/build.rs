//! Compiles the C++ shim against the headers of the LLVM that `llvm-sys` has found.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=src/llvm/shim.cpp");
    let config = std::env::var("DEP_LLVM_22_CONFIG_PATH").expect("llvm-sys names the llvm-config it has found");
    let includes = Command::new(&config).arg("--includedir").output().expect("llvm-config runs").stdout;
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file("src/llvm/shim.cpp")
        // System headers: their warnings are not ours.
        .flag("-isystem")
        .flag(String::from_utf8_lossy(&includes).trim())
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .compile("taw_llvm_shim");
}
