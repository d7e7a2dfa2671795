//! Circuits for the operations on bit vectors, lowest bit first.
//!
//! Invariant: each function computes what SMT-LIB's bit-vector theory says (division by zero included); the tests compare
//! all of them with the evaluator. Constant and narrow operands need no cases of their own where constant propagation in
//! the graph removes the gates; where the shape of the circuit matters (products, quotients) they have.

use super::gates::{Gates, Lit};

/// A bit vector, lowest bit first.
pub(crate) type Word = Vec<Lit>;

/// The number of bits below the known leading zeros.
pub(crate) fn significant(word: &[Lit]) -> usize {
    word.iter().rposition(|&l| l != Lit::FALSE).map_or(0, |top| top + 1)
}

fn negated(word: &[Lit]) -> Word {
    word.iter().map(|&l| !l).collect()
}

impl Gates {
    fn full_adder(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        (self.xor(half, c), self.majority(a, b, c))
    }

    /// `a + b + carry`, as wide as the operands.
    pub fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Word {
        let mut sum = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let (bit, next) = self.full_adder(a, b, carry);
            sum.push(bit);
            carry = next;
        }
        sum
    }

    /// `a - b`
    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add(a, &negated(b), Lit::TRUE)
    }

    /// `-a` if `condition`, else `a`.
    fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Word {
        let flipped: Word = a.iter().map(|&l| self.xor(l, condition)).collect();
        self.add(&flipped, &vec![Lit::FALSE; a.len()], condition)
    }

    /// `a < b` without sign. The carry of `!a + b`: one majority gate per bit.
    pub fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        a.iter().zip(b).fold(Lit::FALSE, |less, (&a, &b)| self.majority(!a, b, less))
    }

    /// `a < b` in two's complement.
    pub fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (Some((&sign_a, a)), Some((&sign_b, b))) = (a.split_last(), b.split_last()) else { return Lit::FALSE };
        let less = self.ult(a, b);
        self.majority(sign_a, !sign_b, less)
    }

    /// `a = b`
    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Word = a.iter().zip(b).map(|(&a, &b)| !self.xor(a, b)).collect();
        self.all(&same)
    }

    /// `c ? a : b`
    pub fn choose(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&a, &b)| self.mux(c, a, b)).collect()
    }

    /// `a * b`, as wide as the operands.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let constants = |w: &[Lit]| w.iter().filter(|l| l.as_constant().is_some()).count();
        // Rows come from the operand with more constant bits: a zero row costs nothing.
        let (rows, other) = if constants(a) >= constants(b) { (a, b) } else { (b, a) };
        if rows.iter().all(|l| l.as_constant().is_some()) {
            return self.mul_constant(other, rows);
        }
        let mut sum = vec![Lit::FALSE; a.len()];
        let reach = significant(other);
        for (shift, &row) in rows.iter().enumerate().filter(|(_, row)| **row != Lit::FALSE) {
            let end = sum.len().min(shift + reach);
            let product: Word = other[..end - shift].iter().map(|&l| self.and(l, row)).collect();
            self.accumulate(&mut sum, shift, &product);
        }
        sum
    }

    /// `sum += product << shift`; the carry runs on above the product's top.
    fn accumulate(&mut self, sum: &mut [Lit], shift: usize, product: &[Lit]) {
        let mut carry = Lit::FALSE;
        for (i, bit) in sum[shift..].iter_mut().enumerate() {
            let addend = product.get(i).copied().unwrap_or(Lit::FALSE);
            (*bit, carry) = self.full_adder(*bit, addend, carry);
        }
    }

    /// Times a constant, by its non-adjacent form: as few additions and subtractions as signed digits allow.
    fn mul_constant(&mut self, a: &[Lit], constant: &[Lit]) -> Word {
        let width = a.len();
        let mut sum = vec![Lit::FALSE; width];
        let mut carry = false;
        for shift in 0..width {
            let bit = (constant[shift] == Lit::TRUE) != carry;
            let both = constant[shift] == Lit::TRUE && carry;
            let next = constant.get(shift + 1) == Some(&Lit::TRUE);
            if bit {
                let mut row = vec![Lit::FALSE; shift];
                row.extend_from_slice(&a[..width - shift]);
                sum = if next { self.sub(&sum, &row) } else { self.add(&sum, &row, Lit::FALSE) };
            }
            carry = both || (bit && next);
        }
        sum
    }

    /// Quotient and remainder without sign, by restoring division.
    ///
    /// The partial remainder is never wider than the divisor, nor than the dividend bits seen so far: narrow operands make
    /// narrow subtractions.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let divisor_width = significant(b);
        let mut quotient = vec![Lit::FALSE; width];
        let mut rest: Word = Word::new();
        for step in (0..significant(a)).rev() {
            rest.insert(0, a[step]);
            // One bit more than both: the divisor's bits above it, if set, are greater than any remainder.
            let (low, high) = b[..divisor_width].split_at(divisor_width.min(rest.len()));
            let mut divisor = low.to_vec();
            divisor.resize(rest.len(), Lit::FALSE);
            let too_big = self.any(high);
            let less = self.ult(&rest, &divisor);
            let fits = self.and(!less, !too_big);
            quotient[step] = fits;
            let reduced = self.sub(&rest, &divisor);
            rest = self.choose(fits, &reduced, &rest);
            // A remainder is less than its divisor; a divisor of zero is handled below.
            rest.truncate(divisor_width);
        }
        rest.resize(width, Lit::FALSE);
        let zero = !self.any(b);
        let quotient = quotient.iter().map(|&q| self.or(q, zero)).collect();
        (quotient, self.choose(zero, a, &rest))
    }

    /// Quotient and remainder in two's complement, truncated.
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (abs_a, abs_b) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
        let (quotient, rest) = self.divide(&abs_a, &abs_b);
        let sign = self.xor(sign_a, sign_b);
        (self.negate_if(sign, &quotient), self.negate_if(sign_a, &rest))
    }

    /// Shifted left by `amount`; zeros come in.
    pub fn shl(&mut self, a: &[Lit], amount: &[Lit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shr(&reversed, amount, Lit::FALSE);
        shifted.reverse();
        shifted
    }

    /// Shifted right by `amount`; `fill` comes in.
    pub fn shr(&mut self, a: &[Lit], amount: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
        for (stage, &bit) in amount.iter().enumerate().take(stages) {
            let distance = 1 << stage;
            let shifted: Word = (0..width).map(|i| word.get(i + distance).copied().unwrap_or(fill)).collect();
            word = self.choose(bit, &shifted, &word);
        }
        let beyond = self.any(amount.get(stages..).unwrap_or(&[]));
        word.iter().map(|&l| self.mux(beyond, fill, l)).collect()
    }

    /// The element at `index`; an index past the end reads the last. A tree of multiplexers over the index bits.
    pub fn element(&mut self, elements: &[Word], index: &[Lit]) -> Word {
        let last = elements.len() - 1;
        let depth = (usize::BITS - last.leading_zeros()) as usize;
        let mut level = elements.to_vec();
        for &bit in &index[..depth] {
            level = level
                .chunks(2)
                .map(|pair| match pair {
                    [even, odd] => self.choose(bit, odd, even),
                    _ => self.choose(bit, &elements[last], &pair[0]),
                })
                .collect();
        }
        let beyond = self.any(&index[depth..]);
        let inside = level.pop().expect("an array has at least one element");
        self.choose(beyond, &elements[last], &inside)
    }
}
