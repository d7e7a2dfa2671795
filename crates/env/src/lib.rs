//! Models of library functions and of the environment.
