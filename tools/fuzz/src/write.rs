//! Properties of writing and editing: rewritten records, edits of any record, repairs and their journals.

use std::fs;

use pdn::ast::{Arena, Part, TreeBuilder};
use pdn::edit::{EditedFile, RecordEditor, TextEdits, undo_file};
use pdn::fix::{Applicability, Fixer, edits, select};
use pdn::replay::Replayer;
use pdn::source::Decoder;
use pdn::split;
use pdn::write::{LineEnd, RecordWriter, WriteOptions};

use crate::pick;

/// Maximum length of a record that is repaired, in bytes; a stop costs some hundred replays.
const REPAIRED: usize = 2 << 10;

/// Returns the moves of a game.
fn moves(record: &[u8]) -> Vec<pdn::Move> {
    let mut moves = Vec::new();
    Replayer::default().replay(record, &mut moves);
    moves
}

/// A written record is one record with the same moves, and is written again as the same bytes. A record that is recognised
/// as canonical is written as it is, or not at all.
pub fn write(data: &[u8]) {
    let line_end = *pick(&[LineEnd::Lf, LineEnd::CrLf], data);
    let width = *pick(&[79, 0, 20], data);
    let mut writer = RecordWriter::new(&WriteOptions::new().line_end(line_end).width(width));
    for record in split::records(data) {
        let mut text = Vec::new();
        if writer.write(record, &mut text).is_err() {
            assert!(text.is_empty(), "a refused record writes nothing");
            continue;
        }
        assert_eq!(split::records(&text).count(), 1, "{}", text.escape_ascii());
        assert_eq!(moves(record.bytes), moves(&text), "{}", text.escape_ascii());
        let mut again = Vec::new();
        let written = writer.write(&text[..], &mut again);
        assert!(written.is_ok(), "{written:?}: {}", text.escape_ascii());
        assert_eq!(text.escape_ascii().to_string(), again.escape_ascii().to_string());
        let is_form_kept = !writer.is_canonical(record.bytes) || record.bytes == text;
        assert!(is_form_kept || lacks_path(record.bytes), "{}", text.escape_ascii());
    }
}

/// Returns `true` if a capture needs its path and lacks it, which only a replay can tell.
fn lacks_path(record: &[u8]) -> bool {
    use pdn::diag::Code;
    let game = Replayer::default().replay_annotated(record);
    game.diagnostics.iter().any(|found| matches!(found.code, Code::CaptureForm | Code::SettledMove))
}

/// Edits of any record in its encoding are read back or refused, and every other byte and every other part stays.
pub fn edit(data: &[u8]) {
    let decoder = Decoder::new(None, data);
    let mut builder = TreeBuilder::new();
    let mut arena = Arena::new();
    for record in split::records(data) {
        let encoding = decoder.guess(record.bytes).encoding;
        let tree = builder.build(record.bytes, &arena);
        let mut editor = RecordEditor::new(tree, encoding);
        let value = *pick(&["Sijbrands", "a \"b\" \\ c", "", "Куперман", "Léman [x] {y}"], record.bytes);
        let is_set = editor.set_tag("White", value).is_ok();
        if record.bytes.len() % 3 == 0 {
            editor.remove_tag("Event");
        }
        let mut removed = None;
        if record.bytes.len() % 2 == 0
            && let Some(part) = tree.parts().nth(record.bytes.len() % 7)
            && !matches!(part, Part::Tag(_))
        {
            editor.remove(&part);
            removed = Some(part);
        }
        if let Ok(edits) = editor.finish() {
            let edited = edits.apply(record.bytes);
            copied_outside(record.bytes, &edited, &edits);
            let records = split::records(record.bytes).count().max(1);
            assert!(split::records(&edited).count() <= records, "{}", edited.escape_ascii());
            let other = Arena::new();
            let after = TreeBuilder::new().build(&edited[..], &other);
            if is_set {
                // The first tag of the name counts, and it may stand in the movetext.
                let read = after.tag("White").map(pdn::parse::unescape);
                let value = encoding.encode(value).expect("as when it was set");
                assert_eq!(read.as_deref(), Some(&*value), "{}", edited.escape_ascii());
            }
            let is_changed = |tag: &pdn::parse::TagPair<'_>| {
                is_set && tag.name == b"White" || record.bytes.len() % 3 == 0 && tag.name == b"Event"
            };
            let outline = |tree: &pdn::ast::SyntaxTree<'_>, removed: Option<Part<'_>>| -> Vec<String> {
                let kept = tree.parts().filter(|part| Some(*part) != removed);
                let kept = kept.filter(|part| !matches!(part, Part::Tag(tag) if is_changed(tag)));
                kept.map(|part| outlined(&part, tree.raw())).collect()
            };
            assert_eq!(outline(&tree, removed), outline(&after, None), "{}", edited.escape_ascii());
            undone(record.bytes, &edits);
        }
        arena.reset();
    }
}

/// Returns the kind and the text of a part. A variation is in its text, with all its parts. Text that is no token may end with
/// a space, which goes if the next part is removed.
fn outlined(part: &Part<'_>, record: &[u8]) -> String {
    let kind = std::mem::discriminant(part);
    format!("{kind:?} {}", part.span().of(record).trim_ascii_end().escape_ascii())
}

/// Asserts that every byte outside of the edits is copied.
fn copied_outside(old: &[u8], new: &[u8], edits: &TextEdits) {
    let (mut at, mut to) = (0, 0);
    for edit in edits.as_slice() {
        let kept = edit.range.start - at;
        assert_eq!(&old[at..edit.range.start], &new[to..to + kept]);
        to += kept + edit.new.len();
        at = edit.range.end;
    }
    assert_eq!(&old[at..], &new[to..]);
}

/// Asserts that a journal takes edits back, for one record in eight: writing files waits for the disk.
fn undone(old: &[u8], edits: &TextEdits) {
    if !old.len().is_multiple_of(8) {
        return;
    }
    let new = edits.apply(old);
    let folder = tempfile::tempdir().expect("room");
    let path = folder.path().join("games.pdn");
    fs::write(&path, old).expect("room");
    let mut file = EditedFile::begin(&path).expect("a file");
    file.piece(old, edits, |_| "").expect("room");
    let journal = file.commit().expect("room");
    assert_eq!((fs::read(&path).expect("a file"), journal.is_some()), (new.clone(), !edits.is_empty()));
    if let Some(journal) = journal.filter(|_| new != old) {
        undo_file(journal).expect("the file of the journal");
        assert_eq!(fs::read(&path).expect("a file"), old);
    }
}

/// Safe repairs keep the moves and are complete after one pass; all repairs can be undone.
pub fn fix(data: &[u8]) {
    let mut fixer = Fixer::default();
    for record in split::records(data).filter(|record| record.bytes.len() <= REPAIRED) {
        let repairs = fixer.find(record);
        for unsafe_too in [false, true] {
            let chosen = select(&repairs, |repair| {
                repair.applicability == Applicability::Safe
                    || unsafe_too && repair.applicability == Applicability::Unsafe
            });
            let edits = edits(&chosen);
            let repaired = edits.apply(record.bytes);
            copied_outside(record.bytes, &repaired, &edits);
            undone(record.bytes, &edits);
            if !unsafe_too {
                assert_eq!(moves(record.bytes), moves(&repaired), "{}", repaired.escape_ascii());
            }
        }
    }
}
