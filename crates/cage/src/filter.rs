//! Filters of system calls: what neither namespaces nor Landlock keep a program from.
//!
//! A program may do what an ordinary user may do in a machine of its own. Where it has no namespaces of its own, what would change something outside
//! is refused: modes, owners and times of files (Landlock does not watch them), sockets, other processes' priorities. Refused is `EPERM`,
//! as the kernel says it; what is newer than programs must expect is `ENOSYS`, so that they take the older way.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
    apply_filter,
};

use crate::Offer;

mod i386;

/// Refused whatever the cage. `ptrace` is not among them: leak detection needs it, and namespaces or Landlock keep it inside.
const ALWAYS: &[c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
];

/// Refused where there are no namespaces, too.
const OUTSIDE: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_chown,
    libc::SYS_fchown,
    libc::SYS_lchown,
    libc::SYS_fchownat,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_utimensat,
    libc::SYS_futimesat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // setxattrat and removexattrat have no names yet.
    463,
    466,
    libc::SYS_socket,
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_ioprio_set,
    libc::SYS_pidfd_send_signal,
];

/// Not there, so that an older call is made whose arguments can be seen.
const NEW: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_openat2,
];

/// Calls whose first argument is a process, 0 for the caller.
const OF_A_PROCESS: &[c_long] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpriority,
];

/// Calls that send a signal to the process in their first argument.
const SIGNALS: &[c_long] =
    &[libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo];

/// Attributes of files, which are changed through a descriptor that may only read.
const FILE_ATTRIBUTES: [u64; 2] = [0x4008_6602, 0x401c_5820];

/// The first version of Landlock that watches truncation, and that keeps signals inside.
const TRUNCATION: u32 = 3;
const SIGNALLING: u32 = 6;

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// Filters the calls of this process and of all that descend from it.
pub(crate) fn apply(offer: &Offer) -> Result<(), Error> {
    let refused = refused(offer)?;
    install(refused, libc::EPERM, &i386::refused(offer))?;
    install(NEW.iter().map(|&number| (number, Vec::new())).collect(), libc::ENOSYS, &i386::new())
}

fn refused(offer: &Offer) -> Result<Rules, Error> {
    let mut rules: Rules = ALWAYS.iter().map(|&number| (number, Vec::new())).collect();
    // Namespaces inside namespaces give back what was taken.
    let spaces = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let new_space = spaces.map(|flag| one(0, MaskedEq(flag as u64), flag as u64));
    rules.insert(libc::SYS_clone, new_space.into_iter().collect::<Result<_, _>>()?);
    rules.insert(libc::SYS_ioctl, vec![one(1, Eq, libc::TIOCSTI)?, one(1, Eq, libc::TIOCLINUX)?]);
    if !offer.has_namespaces() {
        refuse_outside(&mut rules, offer)?;
    }
    Ok(rules)
}

fn refuse_outside(rules: &mut Rules, offer: &Offer) -> Result<(), Error> {
    rules.extend(OUTSIDE.iter().map(|&number| (number, Vec::new())));
    for number in OF_A_PROCESS {
        rules.insert(*number, vec![one(0, Ne, 0)?]);
    }
    for attribute in FILE_ATTRIBUTES {
        rules.entry(libc::SYS_ioctl).or_default().push(one(1, Eq, attribute)?);
    }
    if offer.landlock < TRUNCATION {
        let truncates = (libc::O_TRUNC | libc::O_ACCMODE) as u64;
        rules.insert(libc::SYS_truncate, Vec::new());
        rules.insert(libc::SYS_open, vec![one(1, MaskedEq(truncates), libc::O_TRUNC as u64)?]);
        rules.insert(libc::SYS_openat, vec![one(2, MaskedEq(truncates), libc::O_TRUNC as u64)?]);
    }
    if offer.landlock < SIGNALLING {
        // To itself, and to its own group. Its children cannot signal themselves; they are rare.
        let own = rustix::process::getpid().as_raw_nonzero().get() as u64;
        for number in SIGNALS {
            let other = SeccompRule::new(vec![
                SeccompCondition::new(0, Dword, Ne, own)?,
                SeccompCondition::new(0, Dword, Ne, 0)?,
            ])?;
            rules.insert(*number, vec![other]);
        }
    }
    Ok(())
}

/// A rule about one argument.
fn one(argument: u8, is: SeccompCmpOp, value: u64) -> Result<SeccompRule, Error> {
    Ok(SeccompRule::new(vec![SeccompCondition::new(argument, Dword, is, value)?])?)
}

fn install(rules: Rules, error: i32, for_i386: &[i386::Rule]) -> Result<(), Error> {
    let action = SeccompAction::Errno(error as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, TargetArch::x86_64)?;
    let native: BpfProgram = filter.try_into()?;
    apply_filter(&i386::joined(native, for_i386, error))
}
