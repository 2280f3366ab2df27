//! Segments that are written from batches of any size.

use super::*;
use crate::row::game_row::{GameKind, GameRow};
use pdn::internal::storage::MemoryDisk;
use pdn::replay::VariantBasis;
use pdn::rules::Variant;
use proptest::prelude::*;

/// A game of a test: names of its players, an annotator, variant, record, bytes of variations and of notes.
type Game = (String, String, String, bool, Vec<u8>, Vec<u8>, Vec<u8>);

fn game() -> impl Strategy<Value = Game> {
    let bytes = || prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(any::<u8>(), 1..90)];
    (
        "[a-e]{1,2}|[a-z]{1,40}",
        "[a-e]{1,2}",
        "|||[xy]",
        any::<bool>(),
        "[a-z ]{0,300}".prop_map(String::into_bytes),
        bytes(),
        bytes(),
    )
}

/// Returns the rows and the text of games.
fn rows(games: &[Game]) -> (RowBatch, Vec<u8>) {
    let (mut rows, mut text) = (RowBatch::new(), Vec::new());
    for (white, black, annotator, russian, record, variations, notes) in games {
        let variant = if *russian { Variant::Russian } else { Variant::International };
        let kind = GameKind { variant, numbering: variant.game().numbering, basis: VariantBasis::Tag };
        rows.annotations.variations.extend(variations);
        rows.annotations.notes.extend(notes);
        rows.annotations.bits = u8::from(!variations.is_empty()) | u8::from(!notes.is_empty()) << 1;
        rows.push(&GameRow { white, black, annotator, ..GameRow::new(kind) }, &record[..]);
        text.extend(record);
    }
    (rows, text)
}

/// Writes games in batches of these sizes, and returns the number of games and the bytes of each segment.
fn segments(games: &[Game], sizes: &[usize], limits: SegmentLimits) -> Vec<(u32, Vec<u8>)> {
    let (mut segments, mut segment, mut ids) = (Vec::new(), None, IdMap::default());
    let disk = MemoryDisk::default();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let mut end = |segment: &mut Option<SegmentWriter>| {
        let Some(segment) = segment.take() else { return };
        let (info, mut file) = segment.finish(NonZeroUsize::MIN).expect("in memory");
        file.rename(Path::new("segment")).expect("in memory");
        segments.push((info.games, disk.take().remove("segment").expect("written")));
    };
    let (mut offset, mut rest, mut sizes) = (0, games, sizes.iter().cycle());
    while !rest.is_empty() {
        let (batch, later) = rest.split_at(rest.len().min(*sizes.next().expect("endless")));
        rest = later;
        let (rows, text) = rows(batch);
        ids.reset(&rows);
        if let Some(segment) = &segment {
            SegmentWriter::look_up(segment, &rows, &mut ids);
        }
        let mut remaining = RemainingGames::all(&rows, 0, offset, &text);
        while !remaining.is_empty() {
            let create = || SegmentWriter::create(&storage, Path::new("new"), false).expect("in memory");
            let writer = segment.get_or_insert_with(create);
            if writer.push(&mut remaining, limits, &mut ids).expect("in memory") == 0 {
                end(&mut segment);
                ids.reset(&rows);
            }
        }
        offset += text.len() as u64;
    }
    end(&mut segment);
    segments
}

proptest! {
    #[test]
    fn segments_do_not_depend_on_batches(
        games in prop::collection::vec(game(), 1..150),
        sizes in prop::collection::vec(1usize..60, 1..5),
        max_games in 1u32..100,
        name_memory in prop_oneof![Just(usize::MAX), 0usize..6000],
    ) {
        let limits = SegmentLimits { games: max_games, name_memory };
        let one_by_one = segments(&games, &[1], limits);
        prop_assert!(one_by_one.iter().all(|(games, _)| *games <= max_games));
        prop_assert!(one_by_one == segments(&games, &sizes, limits));
        prop_assert!(one_by_one == segments(&games, &[games.len()], limits));
    }
}
