//! An executable that does not begin with `serve_if_asked`, as this one, is never started again: its `main` would run once more.

use taw_cage::{Cage, Confinement, Keeper, NoKeeper};

#[test]
fn an_executable_that_does_not_serve_is_no_keeper() {
    assert!(matches!(Keeper::this(Confinement::Whole), Err(NoKeeper::DoesNotServe)));
}

#[test]
fn nor_is_it_one_if_it_is_named() {
    let this = std::env::current_exe().unwrap();
    for confinement in [Confinement::Whole, Confinement::None] {
        let why = Cage::open(&Keeper::at(&this, confinement)).unwrap_err();
        assert!(why.contains("serve_if_asked"), "{why}");
    }
}
