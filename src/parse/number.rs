//! Reads the numbers of moves and of annotations.

use crate::value::Nag;

/// Returns the number that `text` starts with and how many digits it has. A number greater than [`u32::MAX`] is read as
/// [`u32::MAX`]; without a digit the result is `(0, 0)`.
// Twin: the last arm; test: leading_number_equals_digit_by_digit_reading.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn leading_number(text: &[u8]) -> (u32, usize) {
    let value = |digit: u8| u32::from(digit - b'0');
    match text {
        // Nearly all numbers, without a loop.
        [a @ b'0'..=b'9', b'.', ..] => (value(*a), 1),
        [a @ b'0'..=b'9', b @ b'0'..=b'9', b'.', ..] => (10 * value(*a) + value(*b), 2),
        _ => {
            let digits = text.iter().take_while(|b| b.is_ascii_digit());
            digits.fold((0, 0), |(number, count), &digit| {
                (u32::saturating_add(u32::saturating_mul(number, 10), value(digit)), count + 1)
            })
        }
    }
}

/// Returns the number of the numeric annotation glyph `text`, such as `$12`, or [`u32::MAX`] if it is greater than that. The text may
/// also be a sign with the meaning of a glyph, such as `±`.
pub(crate) fn nag_number(text: &[u8]) -> u32 {
    match text {
        [b'$', digits @ ..] => leading_number(digits).0,
        sign => Nag::of_sign(sign).map_or(0, |nag| nag.0),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn leading_number_equals_digit_by_digit_reading(text in r"[0-9]{0,12}(\.{0,3}|x)") {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let number = text[..digits].parse::<u64>().map_or(0, |number| number.min(u32::MAX.into()) as u32);
            prop_assert_eq!(leading_number(text.as_bytes()), (number, digits));
            prop_assert_eq!(nag_number(format!("${text}").as_bytes()), number);
        }
    }
}
