//! Tags that only the removed copies of a game have.

use std::borrow::Cow;
use std::collections::HashMap;

use pdn::ast::{Arena, TreeBuilder};
use pdn::edit::{RecordEditor, TextEdits};
use pdn::internal::fix::exchanged_scores;
use pdn::internal::value::{DateForm, TagKind};
use pdn::parse::{TagPair, unescape};
use pdn::source::Decoder;
use pdn::value::{DateOrders, ScoreOrder};
use pdn::view::RecordView;
use pdn_dedup::{DuplicateClass, DuplicateMember, is_known_value};
use pdn_index::Index;
use pdn_index::internal::TextReader;

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

    /// Adds a game of a group, if it is removed. A problem with the same position is another publication, perhaps seen from the other side:
    /// its tags are not those of the keeper.
    pub(super) fn add(&mut self, member: &DuplicateMember) {
        let is_one_game = member.class != DuplicateClass::SamePosition;
        if is_one_game && member.keeper.is_new && self.classes.contains(&member.class) {
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
        let own = decoder(index, game)?;
        let mut new: Vec<(String, String)> = Vec::new();
        // Copies may have copies of their own.
        let mut numbers: Vec<u64> = self.copies[&game].clone();
        let mut at = 0;
        while let Some(&copy) = numbers.get(at) {
            at += 1;
            numbers.extend(self.copies.get(&copy).into_iter().flatten().copied());
            let decoder = decoder(index, copy)?;
            let text = standard_text(index, copy, reader.text(copy)?)?.into_owned();
            let encoding = decoder.guess(&text).encoding;
            for tag in RecordView::new(&text).tags() {
                // A name in an old encoding would be another name in the keeper.
                let Ok(name) = std::str::from_utf8(tag.name) else { continue };
                let is_shared = is_known_value(tag.value)
                    && !NOT_SHARED.contains(&tag.name)
                    && !new.iter().any(|(known, _)| known == name)
                    && lacks(record, own.dates(), &tag, decoder.dates());
                if is_shared {
                    // In the file of the keeper, a date such as `07/04/1999` may be read in another order.
                    let date = is_date(&tag).then(|| decoder.read_date(tag.value).ok()).flatten();
                    let value = || encoding.decode(&unescape(tag.value)).into_owned();
                    new.push((name.to_owned(), date.map_or_else(value, |read| read.date.to_string())));
                }
            }
        }
        if new.is_empty() {
            return Ok(None);
        }
        let encoding = own.guess(record).encoding;
        let arena = Arena::new();
        let mut editor = RecordEditor::new(self.trees.build(record, &arena), encoding);
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

/// Returns the text of a game with the number of the side that starts first in its score. In another file, the games around it would
/// no longer show another order.
pub(super) fn standard_text<'t>(index: &Index, game: u64, text: &'t [u8]) -> pdn::Result<Cow<'t, [u8]>> {
    let Some(game) = index.game(game) else { return Ok(Cow::Borrowed(text)) };
    Ok(match game.row()?.scores() {
        ScoreOrder::First => Cow::Borrowed(text),
        ScoreOrder::White => match TextEdits::new(exchanged_scores(text)) {
            Ok(edits) => Cow::Owned(edits.apply(text)),
            Err(_) => Cow::Borrowed(text),
        },
    })
}

/// Returns the file of a game and the offset of its record.
fn place(index: &Index, game: u64) -> pdn::Result<String> {
    let Some(game) = index.game(game) else { return Ok(String::new()) };
    Ok(format!("{}, record at byte {}", game.input()?.name.display(), game.location()?.offset))
}

/// Returns `true` if a record has no tag that says as much as `tag`, which is one of a copy: none of this name, one whose value is
/// not known, or a date of which fewer parts are known.
fn lacks(record: &[u8], own_dates: DateOrders, tag: &TagPair<'_>, dates: DateOrders) -> bool {
    let mut own = RecordView::new(record).tags().filter(|own| own.name == tag.name);
    let Some(own) = own.next() else { return true };
    if !is_known_value(own.value) {
        return true;
    }
    let read = (own_dates.read(own.value), dates.read(tag.value));
    let (true, (Ok(own), Ok(other))) = (is_date(tag), read) else { return false };
    if let DateForm::EitherOrder { day_first, month_first } = own.form {
        return [day_first, month_first].contains(&other.date);
    }
    let (own, other) = (own.date, other.date);
    let agree = |own: Option<u16>, other: Option<u16>| own.is_none() || own == other;
    own != other
        && agree(own.year(), other.year())
        && agree(own.month().map(u16::from), other.month().map(u16::from))
        && agree(own.day().map(u16::from), other.day().map(u16::from))
}

/// Returns `true` if the value of a tag is a date.
fn is_date(tag: &TagPair<'_>) -> bool {
    tag.recognised().is_some_and(|found| found.tag.kind() == TagKind::Date)
}

/// Returns the decoder of the file of a game.
fn decoder(index: &Index, game: u64) -> pdn::Result<Decoder> {
    let location = index.game(game).map(|game| game.location()).transpose()?;
    Ok(location.map(|location| index.decoder(location.input)).unwrap_or_default())
}
