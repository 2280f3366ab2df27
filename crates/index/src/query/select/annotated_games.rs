//! Finds the games with variations and notes, and the comments that match a pattern.

use std::sync::Arc;

use super::game_selector::{GameSelector, MatchingComments};
use crate::query::conditions::NoteCondition;
use crate::query::record_text::RecordText;
use crate::{AnnotationBits, AnnotationBytes, GameSet, TextReader};
use pdn::error::{Error, ErrorKind, Result};
use pdn_names::NamePattern;

/// What an index of an earlier version lacks, in messages.
pub(in crate::query) const ANNOTATIONS: &str = "variations, comments and NAGs";

impl<'a> GameSelector<'a> {
    /// Opens the variations of all games.
    ///
    /// # Errors
    /// If a section is damaged, or an earlier version has written the segment.
    pub(in crate::query) fn variations(&self) -> Result<AnnotationBytes<'a>> {
        self.segment.variations()?.ok_or_else(not_stored)
    }

    /// Opens the notes of all games.
    ///
    /// # Errors
    /// As [`variations`](Self::variations).
    pub(in crate::query) fn notes(&self) -> Result<AnnotationBytes<'a>> {
        self.segment.notes()?.ok_or_else(not_stored)
    }

    /// Returns the games that have variations.
    ///
    /// # Errors
    /// As [`variations`](Self::variations).
    pub(super) fn with_variations(&self) -> Result<GameSet> {
        self.annotated(AnnotationBits::VARIATIONS)
    }

    /// Returns the games in which a condition on notes may be true.
    ///
    /// # Errors
    /// As [`variations`](Self::variations), and if a text cannot be read.
    pub(super) fn with_note(&self, condition: &NoteCondition) -> Result<GameSet> {
        match condition {
            NoteCondition::Comment(None) => self.annotated(AnnotationBits::COMMENTS),
            NoteCondition::Comment(Some(pattern)) => {
                Ok(self.matching_comments(pattern)?.keys().copied().collect())
            }
            NoteCondition::Nag(_) | NoteCondition::Mark(_) => self.annotated(AnnotationBits::NAGS),
        }
    }

    /// Returns the games that have one of these flags.
    fn annotated(&self, flags: u8) -> Result<GameSet> {
        let bits = self.segment.annotation_bits()?.ok_or_else(not_stored)?;
        Ok(bits.games(|bits| bits as u8 & flags != 0))
    }

    /// Reads the texts of games with comments and returns the comments that match a pattern. Each pattern is looked for once.
    ///
    /// # Errors
    /// As [`variations`](Self::variations), and if a text cannot be read.
    pub(in crate::query) fn matching_comments(&self, pattern: &NamePattern) -> Result<Arc<MatchingComments>> {
        if let Some((_, found)) = self.commented.borrow().iter().find(|(known, _)| known == pattern) {
            return Ok(Arc::clone(found));
        }
        let (index, first) = self.in_index()?;
        let mut games = self.annotated(AnnotationBits::COMMENTS)?;
        if let Some(readable) = &self.readable {
            games &= readable;
        }
        let (mut found, mut texts) = (MatchingComments::new(), TextReader::new(index));
        for game in &games {
            let text = RecordText::read(index, &mut texts, first + u64::from(game))?;
            let comments = (0..).zip(text.comments());
            let matching: Vec<u32> =
                comments.filter(|(_, comment)| pattern.matches(comment)).map(|(number, _)| number).collect();
            if !matching.is_empty() {
                found.insert(game, matching);
            }
        }
        let found = Arc::new(found);
        self.commented.borrow_mut().push((pattern.clone(), Arc::clone(&found)));
        Ok(found)
    }
}

fn not_stored() -> Error {
    ErrorKind::NotStored(ANNOTATIONS).into()
}
