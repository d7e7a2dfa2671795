//! The numbers of errors, as Linux on x86-64 has them.

use std::fmt;

/// An error that a system call answers with; the program sees its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Errno(pub u16);

macro_rules! errnos {
    ($($name:ident $number:literal)*) => {
        impl Errno {
            $(pub const $name: Errno = Errno($number);)*
        }

        impl fmt::Debug for Errno {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(Errno::$name => f.write_str(stringify!($name)),)*
                    Errno(number) => write!(f, "errno {number}"),
                }
            }
        }
    };
}

errnos! {
    EPERM 1 ENOENT 2 ESRCH 3 EINTR 4 EIO 5 ENXIO 6 E2BIG 7 EBADF 9 ECHILD 10 EAGAIN 11 ENOMEM 12 EACCES 13 EFAULT 14
    EBUSY 16 EEXIST 17 EXDEV 18 ENODEV 19 ENOTDIR 20 EISDIR 21 EINVAL 22 ENFILE 23 EMFILE 24 ENOTTY 25 ETXTBSY 26
    EFBIG 27 ENOSPC 28 ESPIPE 29 EROFS 30 EMLINK 31 EPIPE 32 EDOM 33 ERANGE 34 ENAMETOOLONG 36 ENOSYS 38 ENOTEMPTY 39
    ELOOP 40 ENODATA 61 EOVERFLOW 75 ENOTSOCK 88 EDESTADDRREQ 89 EMSGSIZE 90 EPROTOTYPE 91 ENOPROTOOPT 92
    EPROTONOSUPPORT 93 ESOCKTNOSUPPORT 94 EOPNOTSUPP 95 EAFNOSUPPORT 97 EADDRINUSE 98 EADDRNOTAVAIL 99
    ECONNABORTED 103 ECONNRESET 104 ENOBUFS 105 EISCONN 106 ENOTCONN 107 ETIMEDOUT 110 ECONNREFUSED 111
    EALREADY 114 EINPROGRESS 115
}
