//! Native runs of programs under test, in a cage: the one place where such a program is started.
//!
//! Exploration finds inputs, and `rm`, `kill` and `chmod` do natively what their arguments say. So a native run sees the machine read-only,
//! but for one scratch folder, has no network but loopback inside, and can signal nobody outside. It is limited in time, memory, processes and
//! disk, and nothing of it survives.
//!
//! ```text
//! taw ── Cage ──socket──► keeper (this executable again, one thread) ──clone──► init ──fork──► the program
//!                         nobody instead of root, namespaces     watches     pid 1      Landlock, seccomp, limits
//! ```
//! The keeper is a process of its own because confining needs a process with one thread and little memory; it is started once and makes
//! many runs. It ends its run when Taw ends, however Taw ends.
//!
//! Two kinds of cage, and both where both are to be had: *namespaces* (user, mount, pid, network, ipc), and *Landlock*. System calls are
//! filtered in either. Invariant: where neither can be had, nothing is started ([`Cage::open`] says why), unless the user asks for it.

mod cage;
mod family;
mod filter;
mod init;
mod job;
mod keeper;
mod link;
mod offer;
mod raw;
mod space;
mod walls;

pub use cage::{Cage, Confinement, Keeper, NoKeeper, can_execute, can_read, hand_over};
pub use job::{Ended, Job, LimitHit, RunLimits};
pub use keeper::serve_if_asked;
pub use offer::Offer;
