//! Moves that happen at once, put into an order in which they can be made one after the other.

use taw_ir::{Operand, Reg};

/// Orders parallel moves so that no source is overwritten before it is read; a cycle goes through a fresh register.
/// Destinations are distinct.
pub fn in_order(moves: Vec<(Reg, Operand)>, mut fresh: impl FnMut(Reg) -> Reg) -> Vec<(Reg, Operand)> {
    let mut pending: Vec<(Reg, Operand)> = moves.into_iter().filter(|&(dst, src)| src != Operand::reg(dst)).collect();
    let mut ordered = Vec::with_capacity(pending.len());
    while !pending.is_empty() {
        let free = |&(dst, _): &(Reg, Operand)| pending.iter().all(|&(_, src)| src != Operand::reg(dst));
        if let Some(ready) = pending.iter().position(free) {
            ordered.push(pending.remove(ready));
            continue;
        }
        // Every destination is still to be read: save the first one and read the copy instead.
        let (saved, _) = pending[0];
        let copy = fresh(saved);
        ordered.push((copy, Operand::reg(saved)));
        for (_, src) in &mut pending {
            if *src == Operand::reg(saved) {
                *src = Operand::reg(copy);
            }
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the moves on an array of numbers, one after the other.
    fn run(moves: &[(Reg, Operand)], registers: &mut [u32]) {
        for (dst, src) in moves {
            let src = src.as_reg().expect("only registers here");
            registers[dst.as_u32() as usize] = registers[src.as_u32() as usize];
        }
    }

    #[test]
    fn every_mapping_of_four_registers_is_a_parallel_move() {
        const N: u32 = 4;
        for code in 0..(N + 1).pow(N) {
            let choice = |i: u32| code / (N + 1).pow(i) % (N + 1);
            // The choice N means: this register is not a destination.
            let wanted: Vec<(u32, u32)> = (0..N).map(|i| (i, choice(i))).filter(|&(_, s)| s < N).collect();
            let moves = wanted.iter().map(|&(d, s)| (Reg::from_u32(d), Operand::reg(Reg::from_u32(s)))).collect();
            let mut next = N;
            let ordered = in_order(moves, |_| {
                next += 1;
                Reg::from_u32(next - 1)
            });
            let mut registers: Vec<u32> = (0..N + 8).collect();
            run(&ordered, &mut registers);
            for i in 0..N {
                let expected = wanted.iter().find(|&&(d, _)| d == i).map_or(i, |&(_, s)| s);
                assert_eq!(registers[i as usize], expected, "{wanted:?} became {ordered:?}");
            }
        }
    }
}
