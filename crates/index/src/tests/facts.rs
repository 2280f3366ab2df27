//! Facts of games: those of their positions and moves, in every way in which segments are made.

use crate::internal::{GameFacts, IndexWriter, VerifyOptions, merge, verify};
use std::sync::Arc;

use super::*;
use crate::manifest::FILE_NAME;
use crate::segment::section_file::SectionFile;
use crate::{NumberColumn, Section, Segment};
use pdn::internal::storage::{Disk, Storage};

/// Games with kings, setups and null moves, whose facts are counted by hand in [`facts_count_moves_and_positions`].
const GAMES: &str = "\
[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *\n
[GameType \"20\"]\n[FEN \"W:W7,30:B44,5\"]\n1. 7-1 44-50 2. 1-6 50-45 3. 30-24 *\n
[GameType \"20\"]\n[FEN \"W:WK46:B41,32,K15\"]\n1. 46x28 15-47 2. 28-5 47-15 *\n
[GameType \"20\"]\n[FEN \"W:W31,32:B20\"]\n1. 31-27 /FEN \"W:W27:B24,25,15\"/ 2. 27-22 *\n
[GameType \"20\"]\n[FEN \"W:WK46:BK5\"]\n*\n";

/// Writes an archive of games of all variants, some of which begin with few men close to their promotion.
pub(crate) fn archive_with_kings(seed: u64) -> String {
    let mut text = archive(seed, 60, Variant::ALL) + GAMES;
    let mut random = fastrand::Rng::with_seed(seed);
    for number in 0..120 {
        let variant = Variant::ALL[number % Variant::ALL.len()];
        let mut position = Position::start(variant);
        let mut list = MoveList::new();
        let _ = writeln!(text, "[GameType \"{}\"]", variant.tag());
        // Half of the games begin late, so that the game is not continuous.
        let (late, plies) = (number % 2 * 60, random.usize(40..150));
        let mut moves = String::new();
        for ply in 0..plies {
            position.legal_moves(&mut list).expect("few captures");
            if list.is_empty() {
                break;
            }
            if ply == late && late > 0 {
                moves.clear();
                let _ = writeln!(text, "[FEN \"{}\"]", position.fen());
            }
            // Promotions and captures of several pieces come more often than by chance.
            let is_chosen = |mv: &&pdn::position::Move| mv.promotes || mv.captured.count_ones() > 1;
            let mv = *list.iter().find(is_chosen).unwrap_or(&list[random.usize(..list.len())]);
            // Only captures whose squares between are not written are played in batches.
            let style = if number % 4 < 2 { MoveStyle::Chain } else { MoveStyle::Shortest };
            let _ = write!(moves, "{} ", move_text(&position, &mv, style).expect("few captures"));
            position.play_unchecked(&mv);
        }
        let _ = writeln!(text, "\n{moves}*\n");
    }
    text
}

/// Removes the facts from the segments of an index, as if a version had written it that did not store them.
pub(crate) fn forget_facts(dir: &Path) {
    let mut manifest = Manifest::read(dir).expect("readable").expect("there");
    let index = Index::open(dir).expect("opened");
    for (segment, entry) in index.segments().iter().zip(&mut manifest.segments) {
        let storage: Arc<dyn Storage> = Arc::new(Disk);
        let path = segment.path().with_extension("tmp");
        let mut file = SectionFile::create(&storage, path).expect("created");
        let is_fact = |section: &&Section| NumberColumn::FACTS.iter().any(|fact| fact.section() == **section);
        let mut sections: Vec<Section> =
            Section::ALL.iter().filter(|section| !is_fact(section)).copied().collect();
        sections.retain(|&section| segment.has(section));
        sections.sort_by_key(|&section| segment.unchecked_section(section).expect("there").0.as_ptr());
        for section in sections {
            file.section(section, segment.section(section).expect("sound")).expect("written");
        }
        let mut file = file.finish(segment.len() as u32).expect("written");
        (entry.info.len, entry.info.checksum) = (file.1, file.2);
        file.0.rename(segment.path()).expect("renamed");
    }
    fs::write(dir.join(FILE_NAME), manifest.to_bytes()).expect("written");
}

/// Returns the facts of all games.
fn facts(dir: &Path) -> Vec<Option<GameFacts>> {
    Index::open(dir).expect("opened").games().map(|game| game.row().expect("sound").facts).collect()
}

/// Counts the facts of a game from its positions, in the order of the definitions.
fn naive_facts(index: &Index, game: u64) -> GameFacts {
    let (plies, last) = index.game(game).expect("there").plies().expect("sound");
    let lead = |position: &Position| {
        let counts = position.counts();
        let pieces = |side: usize| i32::from(counts.men[side]) + i32::from(counts.kings[side]);
        pieces(0) - pieces(1)
    };
    let mut facts = GameFacts::default();
    let mut leads = vec![lead(&last)];
    let mut run = 0;
    for (number, ply) in plies.iter().enumerate() {
        leads.push(lead(&ply.before));
        run += 1;
        if let Some(mv) = ply.mv {
            let by_king = ply.before.state().kings >> mv.from.0 & 1 != 0;
            let taken = mv.captured.count_ones();
            let most = if by_king { &mut facts.king_takes } else { &mut facts.man_takes };
            *most = taken.max(*most);
            if !by_king || taken > 0 {
                run = 0;
            }
            let white = ply.before.turn() == Colour::White;
            let promotes = if white { &mut facts.white_promotes } else { &mut facts.black_promotes };
            if mv.promotes && *promotes == 0 {
                *promotes = number as u32 + 1;
            }
            leads.push(lead(&ply.before.after_unchecked(&mv)));
        }
        facts.king_run = facts.king_run.max(run);
    }
    facts.white_lead = leads.iter().copied().max().unwrap_or(0).max(0) as u32;
    facts.black_lead = leads.iter().map(|lead| -lead).max().unwrap_or(0).max(0) as u32;
    facts
}

#[test]
fn facts_count_moves_and_positions() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("games.pdn", GAMES)], &dir, &options(1, 100));
    let game = |takes: [u32; 2], promotes: [u32; 2], leads: [u32; 2], king_run| {
        Some(GameFacts {
            man_takes: takes[0],
            king_takes: takes[1],
            white_promotes: promotes[0],
            black_promotes: promotes[1],
            white_lead: leads[0],
            black_lead: leads[1],
            king_run,
        })
    };
    let expected = [
        game([1, 0], [0, 0], [1, 0], 0),
        game([0, 0], [1, 2], [0, 0], 2),
        game([0, 2], [0, 0], [0, 2], 3),
        // The position of a setup counts.
        game([0, 0], [0, 0], [1, 2], 0),
        game([0, 0], [0, 0], [0, 0], 0),
    ];
    assert_eq!(facts(&dir), expected);
}

#[test]
fn facts_are_those_of_the_positions_and_moves() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    // A run of kings over several batches.
    let long_run = format!(
        "[GameType \"20\"]\n[FEN \"W:WK46:BK45\"]\n1. {}*\n\n",
        "46-41 45-50 41-46 50-45 ".repeat(40)
    );
    // The environment variable `PDN_SEED` chooses other games.
    let seed = std::env::var("PDN_SEED").map_or(7, |seed| seed.parse().expect("PDN_SEED is a number"));
    index(&[temp.file("games.pdn", archive_with_kings(seed) + &long_run)], &dir, &options(2, 70));
    let index = Index::open(&dir).expect("opened");
    let mut most = GameFacts::default();
    for game in index.games() {
        let facts = game.row().expect("sound").facts.expect("stored");
        assert_eq!(facts, naive_facts(&index, game.number()), "game {}", game.number());
        most.king_takes = most.king_takes.max(facts.king_takes);
        most.king_run = most.king_run.max(facts.king_run);
        most.white_promotes = most.white_promotes.max(facts.white_promotes);
    }
    assert!(most.king_takes > 1 && most.king_run == 160 && most.white_promotes > 1, "{most:?}");
    assert!(verify(&dir, &VerifyOptions::INDEX).expect("a manifest").is_sound());
}

#[test]
fn merged_segments_have_the_facts_that_older_ones_lack() {
    let temp = TestFolder::new();
    let (paths, dir) =
        ([1, 2].map(|n| temp.file(&format!("{n}.pdn"), archive_with_kings(n))), temp.path("index"));
    index(&paths[..1], &dir, &options(1, 1000));
    let first = facts(&dir).len();
    forget_facts(&dir);
    assert!(facts(&dir).iter().all(Option::is_none));
    assert!(verify(&dir, &VerifyOptions::INDEX).expect("a manifest").is_sound(), "an older index is sound");
    let appended = ImportOptions { append: true, ..options(1, 1000) };
    index(&paths, &dir, &appended);
    merge(&dir, &SegmentOptions::default()).expect("merged");
    let all = facts(&dir);
    assert!(all.len() > first && all.iter().all(Option::is_some));
    let once = temp.path("once");
    index(&paths, &once, &options(1, 1000));
    assert_eq!(all, facts(&once));
}

#[test]
fn facts_that_are_not_those_of_the_moves_are_damage() {
    use super::crash::{SEGMENTS, rows};
    use crate::writer::WriterMode;

    for &fact in NumberColumn::FACTS {
        let temp = TestFolder::new();
        let dir = temp.path("index");
        let mut writer =
            IndexWriter::open(dir.clone(), SEGMENTS, Arc::new(Disk), WriterMode::Create).expect("opened");
        let input = writer.add_input(Path::new("-"), None, false).expect("registered");
        let mut rows = rows(2000, 3);
        rows.tiles[0].numbers[fact as usize][1] += 1;
        writer.push(input, 0, &rows, &b"*\n".repeat(3)).expect("pushed");
        writer.commit().expect("committed");
        let report = verify(&dir, &VerifyOptions::INDEX).expect("a manifest");
        let problems: Vec<_> = report.problems.iter().map(|found| found.section).collect();
        assert_eq!(problems, [fact.section().name()]);
    }
}

#[test]
fn segment_reads_without_a_fact_that_it_lacks() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("games.pdn", GAMES)], &dir, &options(1, 100));
    forget_facts(&dir);
    let segment = Segment::open(dir.join("segment-00000001.pdns")).expect("opened");
    for column in NumberColumn::ALL {
        assert_eq!(segment.number_column(column).expect("sound").is_some(), !column.is_fact(), "{column:?}");
    }
}
