//! Compiles the few lines of C through which long double functions are called.

fn main() {
    println!("cargo:rerun-if-changed=native/long_double.c");
    cc::Build::new()
        .file("native/long_double.c")
        .warnings(true)
        .flag_if_supported("-fno-builtin")
        .compile("taw_long_double");
    println!("cargo:rustc-link-lib=m");
    println!("cargo:rustc-link-lib=dl");
}
