//! Landlock: what a program may read and change of the file system, and whom it may signal.
//!
//! Boundary: Landlock does not know about modes, owners, times and attributes of files; those are left to namespaces, else to the filter of
//! system calls.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope,
};

/// The newest interface that is asked for; what the kernel does not have is left out.
const NEWEST: ABI = ABI::V7;
/// Devices that hold nothing.
pub(crate) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Shuts this process in: everything may be read, the folders may be changed.
pub(crate) fn shut(folders: &[&Path]) -> Result<(), RulesetError> {
    let (all, read) = (AccessFs::from_all(NEWEST), AccessFs::from_read(NEWEST));
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let beneath = |path: &Path, access: BitFlags<AccessFs>| {
        // What is not there needs no leave.
        PathFd::new(path).ok().map(|fd| Ok::<_, RulesetError>(PathBeneath::new(fd, access)))
    };
    ruleset
        .add_rules(beneath(Path::new("/"), read))?
        .add_rules(folders.iter().filter_map(|folder| beneath(folder, all)))?
        .add_rules(DEVICES.iter().filter_map(|path| beneath(Path::new(path), device)))?
        .restrict_self()?;
    Ok(())
}
