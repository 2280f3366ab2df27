//! Tags that only the removed copies of a game have.

use std::collections::HashMap;

use pdn::ast::{Arena, TreeBuilder};
use pdn::dedup::{DuplicateClass, DuplicateMember, is_known_value};
use pdn::edit::GameEditor;
use pdn::index::{Index, TextReader};
use pdn::parse::unescape;
use pdn::source::Encoding;
use pdn::value::Date;
use pdn::view::GameView;

/// Tags that describe the moves or comments of a record, and not the game.
const NOT_SHARED: [&[u8]; 7] =
    [b"FEN", b"SetUp", b"GameType", b"Variant", b"PlyCount", b"Annotator", b"GameNumber"];

/// The removed copies of each keeper.
pub(super) struct RemovedCopies {
    classes: Vec<DuplicateClass>,
    /// Numbers of removed games, by that of their keeper.
    copies: HashMap<u64, Vec<u64>>,
    trees: TreeBuilder,
    /// Tags that were added or replaced.
    pub(super) shared: u64,
    /// Tags that the encoding of the keeper lacks letters for.
    pub(super) unencodable: u64,
    /// A sentence for each keeper that stays as it is, because damage in its text would swallow the tags.
    pub(super) refused: Vec<String>,
}

impl RemovedCopies {
    pub(super) fn new(classes: &[DuplicateClass]) -> Self {
        Self {
            classes: classes.to_vec(),
            copies: HashMap::new(),
            trees: TreeBuilder::new(),
            shared: 0,
            unencodable: 0,
            refused: Vec::new(),
        }
    }

    /// Adds a game of a group, if it is removed.
    pub(super) fn add(&mut self, member: &DuplicateMember) {
        if member.keeper.is_new && self.classes.contains(&member.class) {
            self.copies.entry(member.keeper.game).or_default().push(member.duplicate.game.game);
        }
    }

    /// Returns the record of a keeper with the tags that only its copies have; `None` if there are none.
    pub(super) fn share(
        &mut self,
        index: &Index,
        game: u64,
        record: &[u8],
        reader: &mut TextReader<'_>,
    ) -> pdn::Result<Option<Vec<u8>>> {
        if !self.copies.contains_key(&game) {
            return Ok(None);
        }
        let mut new: Vec<(String, String)> = Vec::new();
        // Copies may have copies of their own.
        let mut numbers: Vec<u64> = self.copies[&game].clone();
        let mut at = 0;
        while let Some(&copy) = numbers.get(at) {
            at += 1;
            numbers.extend(self.copies.get(&copy).into_iter().flatten().copied());
            let encoding = encoding(index, copy, reader.text(copy)?)?;
            let text = reader.text(copy)?.to_vec();
            for tag in GameView::new(&text).tags() {
                // A name in an old encoding would be another name in the keeper.
                let Ok(name) = std::str::from_utf8(tag.name) else { continue };
                let is_shared = is_known_value(tag.value)
                    && !NOT_SHARED.contains(&tag.name)
                    && !new.iter().any(|(known, _)| known == name)
                    && lacks(record, tag.name, tag.value);
                if is_shared {
                    new.push((name.to_owned(), encoding.decode(&unescape(tag.value)).into_owned()));
                }
            }
        }
        if new.is_empty() {
            return Ok(None);
        }
        let encoding = encoding(index, game, record)?;
        let arena = Arena::new();
        let mut editor = GameEditor::new(self.trees.build(record, &arena), encoding);
        let mut set = 0;
        for (name, value) in new {
            match editor.set_tag(name.as_str(), &value) {
                Ok(()) => set += 1,
                Err(_) => self.unencodable += 1,
            }
        }
        match editor.finish() {
            Ok(edits) => {
                self.shared += set;
                Ok((!edits.is_empty()).then(|| edits.apply(record)))
            }
            Err(reason) => {
                let place = place(index, game)?;
                self.refused.push(format!("{place}: tags of removed games are not added: {reason}"));
                Ok(None)
            }
        }
    }
}

/// Returns the file of a game and the offset of its record.
fn place(index: &Index, game: u64) -> pdn::Result<String> {
    let Some(game) = index.game(game) else { return Ok(String::new()) };
    Ok(format!("{}, record at byte {}", game.input()?.name.display(), game.location()?.offset))
}

/// Returns `true` if a record has no tag of this name that says as much as `value`: none, one whose value is not known, or a
/// date of which fewer parts are known.
fn lacks(record: &[u8], name: &[u8], value: &[u8]) -> bool {
    let mut own = GameView::new(record).tags().filter(|tag| tag.name == name);
    let Some(own) = own.next() else { return true };
    if !is_known_value(own.value) {
        return true;
    }
    let dates = [own.value, value].map(|value| Date::read(value).map(|read| read.date));
    let ([Ok(own), Ok(other)], b"Date" | b"EventDate") = (dates, name) else { return false };
    let agree = |own: Option<u16>, other: Option<u16>| own.is_none() || own == other;
    own != other
        && agree(own.year(), other.year())
        && agree(own.month().map(u16::from), other.month().map(u16::from))
        && agree(own.day().map(u16::from), other.day().map(u16::from))
}

/// Returns the encoding of a record.
fn encoding(index: &Index, game: u64, record: &[u8]) -> pdn::Result<Encoding> {
    let location = index.game(game).map(|game| game.location()).transpose()?;
    let decoder = location.map(|location| index.decoder(location.input)).unwrap_or_default();
    Ok(decoder.guess(record).encoding)
}
