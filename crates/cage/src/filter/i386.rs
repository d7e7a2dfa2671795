//! The filters of system calls for programs of 32 bits, which the library does not write, and for calls by the x32 convention, which nobody makes honestly.

use seccompiler::{BpfProgram, sock_filter};

use crate::Offer;

/// A call that is refused: its number, and bits of its first argument of which one must be set, if it matters.
#[derive(Clone, Copy)]
pub(super) struct Rule(u32, Option<u32>);

const AUDIT_ARCH_I386: u32 = 0x4000_0003;
const X32: u32 = 0x4000_0000;

// Where the kernel puts number, architecture and the low half of the first argument.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENT: u32 = 16;

// Instructions: load a word, jump, return.
const LOAD: u16 = 0x20;
const JUMP: u16 = 0x05;
const IF_EQUAL: u16 = 0x15;
const IF_NOT_LESS: u16 = 0x35;
const IF_ANY_BIT: u16 = 0x45;
const RETURN: u16 = 0x06;

const ALLOW: u32 = 0x7fff_0000;
const ERROR: u32 = 0x0005_0000;

/// `clone`, and its flags for new namespaces.
const CLONE: u32 = 120;
const NEW_SPACES: u32 = 0x7e02_0000;

/// mount, umount, umount2, pivot_root, chroot, open_tree … fspick, mount_setattr, unshare, setns, reboot, swapon, swapoff, kexec_load, modules, acct,
/// quotactl, times, names, iopl, ioperm, syslog, vhangup, keys, bpf, perf_event_open, userfaultfd, fanotify_init, handles, memory of others.
const ALWAYS: &[u32] = &[
    21, 22, 52, 217, 61, 428, 429, 430, 431, 432, 433, 442, 310, 346, 88, 87, 115, 283, 128, 129, 350, 51, 131, 443,
    25, 79, 124, 264, 343, 404, 405, 74, 121, 110, 101, 103, 111, 286, 287, 288, 357, 336, 374, 338, 341, 342, 347,
    348, 349, 438, 440, 294, 317,
];

/// Modes, owners, times, attributes, sockets, shared memory, priorities; signals and truncation too, because Landlock may not watch them.
const OUTSIDE: &[u32] = &[
    15, 94, 306, 452, 182, 95, 16, 212, 207, 198, 298, 30, 271, 299, 320, 412, 226, 227, 228, 235, 236, 237, 463, 466,
    102, 359, 117, 395, 393, 399, 277, 278, 289, 424, 97, 154, 156, 241, 340, 351, 92, 193,
];
const SIGNALS: &[u32] = &[37, 238, 270, 178, 335];
/// clone3, io_uring, openat2.
const NEW: &[u32] = &[435, 425, 426, 427, 437];

pub(super) fn refused(offer: &Offer) -> Vec<Rule> {
    let mut numbers = ALWAYS.to_vec();
    if !offer.has_namespaces() {
        numbers.extend(OUTSIDE);
        if offer.landlock < super::SIGNALLING {
            numbers.extend(SIGNALS);
        }
    }
    let plain = numbers.into_iter().map(|number| Rule(number, None));
    plain.chain([Rule(CLONE, Some(NEW_SPACES))]).collect()
}

pub(super) fn new() -> Vec<Rule> {
    NEW.iter().map(|&number| Rule(number, None)).collect()
}

/// One program for both: calls of 32 bits are judged by `rules`, calls by x32 do not exist, the others are judged by `native`.
pub(super) fn joined(native: BpfProgram, rules: &[Rule], error: i32) -> BpfProgram {
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let mut program = vec![
        step(LOAD, 0, 0, ARCHITECTURE),
        step(IF_EQUAL, 0, 1, AUDIT_ARCH_I386),
        step(JUMP, 0, 0, 3 + native.len() as u32),
        step(LOAD, 0, 0, NUMBER),
        step(IF_NOT_LESS, 0, 1, X32),
        step(RETURN, 0, 0, ERROR | libc::ENOSYS as u32),
    ];
    program.extend(native);
    program.push(step(LOAD, 0, 0, NUMBER));
    for Rule(number, bits) in rules {
        match bits {
            None => program.extend([step(IF_EQUAL, 0, 1, *number), step(RETURN, 0, 0, ERROR | error as u32)]),
            Some(bits) => program.extend([
                step(IF_EQUAL, 0, 4, *number),
                step(LOAD, 0, 0, ARGUMENT),
                step(IF_ANY_BIT, 0, 1, *bits),
                step(RETURN, 0, 0, ERROR | error as u32),
                step(LOAD, 0, 0, NUMBER),
            ]),
        }
    }
    program.push(step(RETURN, 0, 0, ALLOW));
    program
}
