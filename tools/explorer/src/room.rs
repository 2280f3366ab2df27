//! Limits the memory of all answers together, from the moment they are complete until their clients have read them.
//!
//! A client may read as slowly as it likes, or not at all. Without a limit, a few of them could ask for the largest files and have the
//! server keep all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;

use crate::answers::{Answer, MAX_ANSWER_BYTES};
use crate::problem::Problem;

/// Greatest number of bytes of all answers together: those that are sent, and those that are kept for the next time.
const ROOM_BYTES: usize = 256 << 20;
/// An answer of more bytes leaves a quarter of the room to shorter ones.
const SHORT_BYTES: usize = 1 << 20;

/// Room for answers.
pub(crate) struct Room {
    bytes: usize,
    taken: Arc<AtomicUsize>,
}

/// An answer that has room: it can be sent any number of times without a copy.
pub(crate) struct HeldAnswer {
    pub(crate) media_type: &'static str,
    pub(crate) body: Bytes,
    pub(crate) file_name: Option<String>,
}

impl HeldAnswer {
    /// Returns an answer that is part of the program and takes no room.
    pub(crate) fn of_program(media_type: &'static str, body: Bytes) -> Self {
        Self { media_type, body, file_name: None }
    }
}

/// Bytes with their share of the room, which is given back with the last reference to them.
struct Held {
    bytes: Vec<u8>,
    taken: Arc<AtomicUsize>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.taken.fetch_sub(self.bytes.capacity(), Ordering::Relaxed);
    }
}

impl Default for Room {
    fn default() -> Self {
        Self::new(ROOM_BYTES)
    }
}

impl Room {
    /// Creates room for this many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { bytes, taken: Arc::default() }
    }

    /// Returns the number of bytes that are taken.
    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// Takes room for bytes.
    ///
    /// # Errors
    /// If others take too much of it.
    pub(crate) fn hold_bytes(&self, mut bytes: Vec<u8>) -> Result<Bytes, Problem> {
        // A text that grew while it was written has up to twice its length in memory.
        bytes.shrink_to_fit();
        let size = bytes.capacity();
        let limit = if size > SHORT_BYTES { self.bytes / 4 * 3 } else { self.bytes };
        let add = |taken: usize| taken.checked_add(size).filter(|taken| *taken <= limit);
        if self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_err() {
            let detail = message!(
                "busy",
                "other clients have not read their answers yet, which take the memory for answers; try again later"
            );
            return Err(Problem { retry_after: Some(5), ..Problem::new(503, detail) });
        }
        Ok(Bytes::from_owner(Held { bytes, taken: Arc::clone(&self.taken) }))
    }

    /// Takes room for an answer.
    ///
    /// # Errors
    /// If it is longer than an answer may be, or others take too much of the room.
    pub(crate) fn hold(&self, answer: Answer) -> Result<HeldAnswer, Problem> {
        if answer.body.len() > MAX_ANSWER_BYTES {
            return Err(Answer::too_long());
        }
        let Answer { media_type, body, file_name } = answer;
        Ok(HeldAnswer { media_type, body: self.hold_bytes(body)?, file_name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: usize) -> Answer {
        Answer { media_type: "text/plain", body: vec![b' '; bytes], file_name: None }
    }

    #[test]
    fn answers_take_room_until_the_last_reference_to_them_is_gone() {
        let room = Room::new(100);
        let first = room.hold(answer(60)).unwrap();
        let sent = first.body.clone();
        assert_eq!(room.taken(), 60, "a response has no copy of its own");
        let refused = room.hold(answer(41)).map(drop).unwrap_err();
        assert_eq!((refused.status, refused.retry_after), (503, Some(5)));
        drop(first);
        assert_eq!(room.taken(), 60);
        drop(sent);
        assert_eq!(room.taken(), 0);
        assert!(room.hold(answer(41)).is_ok());
    }

    #[test]
    fn long_answers_leave_room_to_short_ones() {
        let room = Room::new(8 * SHORT_BYTES);
        let long: Vec<_> = (0..9).map_while(|_| room.hold(answer(SHORT_BYTES + 1)).ok()).collect();
        assert_eq!(long.len(), 5);
        let short: Vec<_> = (0..9).map_while(|_| room.hold(answer(SHORT_BYTES)).ok()).collect();
        assert_eq!(short.len(), 2);
    }

    #[test]
    fn answers_have_a_greatest_length() {
        let refused = Room::default().hold(answer(MAX_ANSWER_BYTES + 1)).map(drop).unwrap_err();
        assert_eq!(refused.status, 400);
        assert!(Room::default().hold(answer(MAX_ANSWER_BYTES)).is_ok());
    }
}
