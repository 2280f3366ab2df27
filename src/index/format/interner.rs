//! INTERNER

use std::ops::Range;

use super::text_words::{Seeds, Words};

/// Gives every different text a number, in the order in which they come.
#[derive(Debug)]
pub(crate) struct Interner {
    text: String,
    ends: Vec<usize>,
    hashes: Vec<u32>,
    seeds: &'static Seeds,
    /// Hash and number of every text, the first free slot from the hash on; at most half of them are used.
    slots: Vec<Slot>,
}

/// A place for a number.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    /// The number plus one; 0 for none.
    number: u32,
}

impl Default for Interner {
    fn default() -> Self {
        let seeds = Seeds::common();
        Self { text: String::new(), ends: Vec::new(), hashes: Vec::new(), seeds, slots: Vec::new() }
    }
}

impl Interner {
    /// The number of this text.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        let hash = self.seeds.hash(&Words::of(text.as_bytes()), text.as_bytes());
        self.find(hash, text.as_bytes()).unwrap_or_else(|| self.insert(hash, text))
    }

    /// The number of these bytes, whose words are given; `None` if they are not UTF-8. Only what is new is looked at.
    #[inline]
    pub(crate) fn number_of(&mut self, words: &Words, text: &[u8]) -> Option<u32> {
        let hash = self.seeds.hash(words, text);
        match self.find(hash, text) {
            Some(number) => Some(number),
            None => std::str::from_utf8(text).ok().map(|text| self.insert(hash, text)),
        }
    }

    /// The number of a text that is known.
    #[inline]
    fn find(&self, hash: u32, text: &[u8]) -> Option<u32> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots.get(at)?;
            let number = slot.number.checked_sub(1)?;
            if slot.hash == hash && self.bytes(number) == text {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Finds texts of another one that are known here: `numbers` gets theirs, and stays as it is where a text is not
    /// found at once; that may happen to known ones too.
    ///
    /// Faster than one after the other, since several loads from afar are on their way at once.
    pub(crate) fn find_all(&self, others: &Self, numbers: &mut [u32]) {
        const MANY: usize = 32;
        let mask = self.slots.len().wrapping_sub(1);
        if self.slots.is_empty() {
            return;
        }
        let mut first = 0;
        for (numbers, hashes) in numbers.chunks_mut(MANY).zip(others.hashes.chunks(MANY)) {
            let mut slots = [Slot::default(); MANY];
            for (slot, &hash) in slots.iter_mut().zip(hashes) {
                *slot = self.slots[hash as usize & mask];
            }
            let mut places = [(0, 0); MANY];
            for (place, slot) in places.iter_mut().zip(&slots) {
                let Range { start, end } = self.place(slot.number.wrapping_sub(1));
                *place = (start, end);
            }
            let wanted = hashes.iter().zip(first..).zip(numbers).zip(slots.iter().zip(places));
            for (((&hash, other), number), (slot, (start, end))) in wanted {
                let known = slot.number != 0 && slot.hash == hash;
                if known && self.text.as_bytes().get(start..end) == Some(others.bytes(other)) {
                    *number = slot.number - 1;
                }
            }
            first += MANY as u32;
        }
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, hash: u32, text: &str) -> u32 {
        let number = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.hashes.push(hash);
        if 2 * self.ends.len() > self.slots.len() {
            let slots = vec![Slot::default(); (2 * self.slots.len()).max(64)];
            for slot in std::mem::replace(&mut self.slots, slots) {
                if slot.number != 0 {
                    self.put(slot);
                }
            }
        }
        self.put(Slot { hash, number: number + 1 });
        number
    }

    /// Puts a number into the first free slot from its hash on.
    fn put(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = slot.hash as usize & mask;
        while self.slots[at].number != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// The text of this number; nothing for one that was never given.
    pub(crate) fn get(&self, number: u32) -> &str {
        self.text.get(self.place(number)).unwrap_or("")
    }

    #[inline]
    fn bytes(&self, number: u32) -> &[u8] {
        self.text.as_bytes().get(self.place(number)).unwrap_or(b"")
    }

    /// Where the text of a number stands; nowhere for one that was never given.
    #[inline]
    fn place(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end);
        self.ends.get(number).map_or(0..0, |&end| start..end)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the bytes of all texts.
    pub(crate) fn text_len(&self) -> usize {
        self.text.len()
    }

    /// Bytes of memory, about; a function of the texts alone.
    pub(crate) fn weight(&self) -> usize {
        self.text.len() + 32 * self.ends.len()
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.hashes.clear();
        self.slots.fill(Slot::default());
    }
}
