//! Sockets.
use super::call::{Answer, Call, Fail};
use crate::kernel::content::Data;
use crate::kernel::errno::Errno;
/// Receives.
pub(super) fn receive(_: &mut Call<'_, '_, '_>, _: i32, _: u64) -> Result<Data, Fail> {
    Err(Errno::ENOTCONN.into())
}
/// Sends.
pub(super) fn send(_: &mut Call<'_, '_, '_>, _: i32, _: &Data) -> Answer {
    Err(Errno::ENOTCONN.into())
}
