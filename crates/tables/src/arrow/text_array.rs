//! Makes Arrow arrays of texts without checking again that they are UTF-8.
#![expect(unsafe_code, reason = "the safe function of Arrow reads all bytes once more")]

use arrow_array::StringArray;
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};

/// Makes an array of the texts between neighbouring `offsets` of `text`. Linear in the number of texts, whatever their length; the text
/// is moved.
///
/// # Panics
///
/// If an offset is beyond the text or within a character, or if there are more or fewer `nulls` than texts.
// Twin: `StringArray::try_new`; test: `arrays_equal_those_that_arrow_checks`.
pub(crate) fn text_array(text: String, offsets: OffsetBuffer<i32>, nulls: Option<NullBuffer>) -> StringArray {
    let is_boundary = |&offset: &i32| usize::try_from(offset).is_ok_and(|at| text.is_char_boundary(at));
    assert!(offsets.iter().all(is_boundary), "texts begin and end between characters");
    assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() + 1 == offsets.len()), "each text is null or not");
    // SAFETY: `text` is UTF-8. `OffsetBuffer` has at least one offset and they never decrease; all were found to be at boundaries of
    // characters of `text`, none beyond its end. So each text is UTF-8. `nulls` has the length of the array.
    unsafe { StringArray::new_unchecked(offsets, Buffer::from_vec(text.into_bytes()), nulls) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(ends: &[i32]) -> OffsetBuffer<i32> {
        OffsetBuffer::new(ends.to_vec().into())
    }

    #[test]
    fn arrays_equal_those_that_arrow_checks() {
        for (text, ends, nulls) in [
            ("", &[0][..], None),
            ("", &[0, 0, 0], Some(vec![true, false])),
            ("aé日b", &[0, 1, 3, 3, 6, 7], None),
            ("aéb", &[1, 3], Some(vec![false])),
        ] {
            let nulls = nulls.map(NullBuffer::from);
            let checked =
                StringArray::try_new(offsets(ends), Buffer::from(text.as_bytes()), nulls.clone()).unwrap();
            assert_eq!(text_array(text.to_owned(), offsets(ends), nulls), checked);
        }
    }

    #[test]
    #[should_panic(expected = "between characters")]
    fn offset_within_a_character_is_refused() {
        text_array("é".to_owned(), offsets(&[0, 1, 2]), None);
    }

    #[test]
    #[should_panic(expected = "between characters")]
    fn offset_beyond_the_text_is_refused() {
        text_array("é".to_owned(), offsets(&[0, 3]), None);
    }

    #[test]
    #[should_panic(expected = "null or not")]
    fn nulls_of_another_length_are_refused() {
        text_array("ab".to_owned(), offsets(&[0, 1, 2]), Some(NullBuffer::from(vec![true])));
    }
}
