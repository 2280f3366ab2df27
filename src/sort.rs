//! Sorts short lists with code that is compiled once.
//!
//! Each type and order that the sorts of the standard library are used with adds 5 to 20 KB to a program. The functions of this module
//! sort the numbers of the items, which takes one copy of the code for all, and then move the items. They are meant for lists that are
//! short or rare; a long list, or a list for each record, is better sorted by the standard library.

use std::cmp::Ordering;

/// Sorts a list as [`slice::sort_by_key`] does: items with equal keys keep their order.
// Twin: `slice::sort_by_key`; test: `short_lists_are_sorted_as_by_the_standard_library`.
pub fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    by(list, |one, other| key(one).cmp(&key(other)));
}

/// Sorts a list as [`slice::sort_by`] does: equal items keep their order.
pub fn by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if list.len() < 2 {
        return;
    }
    let mut order: Vec<usize> = (0..list.len()).collect();
    numbers_by(&mut order, &|one, other| compare(&list[one], &list[other]));
    for place in 0..order.len() {
        // The item of a place before this one was swapped away when that place was filled; `order` then has where it went.
        let mut from = order[place];
        while from < place {
            from = order[from];
        }
        order[place] = from;
        list.swap(place, from);
    }
}

/// Sorts numbers by an order of what they stand for; equal numbers keep their order.
pub fn numbers_by(numbers: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    numbers.sort_by(|&one, &other| compare(one, other));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn short_lists_are_sorted_as_by_the_standard_library(items in prop::collection::vec((0u8..8, any::<u8>()), 0..60)) {
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            let mut sorted = items.clone();
            by_key(&mut sorted, |item| item.0);
            prop_assert_eq!(sorted, expected);
        }
    }
}
