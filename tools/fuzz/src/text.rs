//! Properties of the text side: records, tokens, diagnostics, syntax trees.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pdn::ast::{Arena, TreeBuilder};
use pdn::check::{self, Checker};
use pdn::diag::Severity;
use pdn::internal::split::{Chunk, Chunks, Splitter};
use pdn::limits::Limits;
use pdn::split::Records;
use pdn::view;

use crate::properties::{
    all_limits, parts_cover_record, records_join_to_input, stream_equals_whole_text, tokens_are_ordered,
    walk_stops_at_any_call,
};
use crate::{holds, naive_split, pick};

/// Maximum length in bytes for the naive splitter, which is quadratic in the length of a record.
const NAIVE: usize = 8 << 10;
/// Length in bytes of a chunk whose first boundary is guessed, and of a text with three such chunks.
const GUESSED: usize = 64 << 10;
const LONG: usize = 130 << 10;
/// Maximum length in bytes for stopping a walk at every call, which is quadratic too.
const BREAKS: usize = 512;

/// The records of an input join to the input, however it is read, and equal those of the naive splitter.
pub fn split(data: &[u8]) {
    for limits in all_limits() {
        holds(records_join_to_input(data, limits).map(drop));
        for seen in [1, 17, 300, 33 << 10] {
            holds(stream_equals_whole_text(data, limits, seen));
        }
        if data.len() <= NAIVE {
            let fast: Vec<_> = Records::new(data, limits).map(|game| (game.bytes.len(), game.cut)).collect();
            let naive = naive_split::split(data, limits.record_bytes, limits.comment_bytes);
            assert_eq!(fast, naive, "the library's records and the naive ones under {limits:?}");
        }
    }
}

/// The chunks of a buffer give the same records as the whole buffer, on any number of threads, in any order.
pub fn pieces(data: &[u8]) {
    // Boundaries are guessed in long chunks only.
    let long = if data.is_empty() { Vec::new() } else { data.repeat(LONG.div_ceil(data.len())) };
    for limits in all_limits() {
        let piece = *pick(&[1, 7, 64, 300], data);
        joined(data, piece.max(data.len() / 50), limits);
    }
    joined(&long, GUESSED, *pick(&all_limits(), data));
}

/// Compares the chunks of `bytes` with its records.
fn joined(bytes: &[u8], piece: usize, limits: Limits) {
    let mut whole = Vec::new();
    Splitter::new(limits).each(bytes, 0, true, |record| {
        whole.push(record);
        ControlFlow::Continue(())
    });
    let count = Chunks::new(bytes.len(), piece, limits).len();
    let forward: Vec<usize> = (0..count).collect();
    let backward: Vec<usize> = (0..count).rev().collect();
    for (threads, order) in [(1, &backward), (2, &forward), (3, &backward)] {
        let pieces = Chunks::new(bytes.len(), piece, limits);
        let mut found = asked(&pieces, bytes, threads, order);
        found.sort_by_key(|&(n, _)| n);
        let (mut at, mut number) = (0, 0);
        for (n, found) in &found {
            assert_eq!((found.start, found.first), (at, number), "piece {n} of {piece} bytes, {limits:?}");
            at = found.ends.last().map_or(at, |record| record.end);
            number += found.ends.len() as u64;
        }
        let ends: Vec<_> = found.into_iter().flat_map(|(_, found)| found.ends).collect();
        assert_eq!(ends, whole, "{threads} threads, pieces of {piece} bytes, {limits:?}");
    }
}

/// Returns the records that threads receive which take the chunks in a given order.
fn asked(pieces: &Chunks, bytes: &[u8], threads: usize, order: &[usize]) -> Vec<(usize, Chunk)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut splitter = Splitter::default();
        let mut found = Vec::new();
        while let Some(&n) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.push((n, pieces.records(bytes, n, &mut splitter)));
        }
        found
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    })
}

/// Every byte is reported once, in order; tokens equal those of the automaton; a walk can stop at any call.
pub fn walk(data: &[u8]) {
    for limits in all_limits() {
        holds(tokens_are_ordered(data, &limits));
        holds(parts_cover_record(data, &limits));
        if data.len() <= BREAKS {
            holds(walk_stops_at_any_call(data, &limits));
        }
    }
    // The lazy view reads the same parts.
    for game in pdn::split::records(data).map(view::RecordView::from) {
        let tags: Vec<_> = game.tags().collect();
        for tag in &tags {
            assert!(game.raw().get(tag.span.range()).is_some(), "{tag:?}");
        }
        let _ = (game.tag("White"), game.result(), game.terminator(), game.movetext());
        for mv in game.moves() {
            assert_eq!(game.raw().get(mv.span.range()), Some(mv.text), "{mv:?}");
        }
    }
}

/// Diagnostics lie within their record, are counted, and can be explained.
pub fn check(data: &[u8]) {
    let few = {
        let mut limits = Limits::DEFAULT;
        (limits.diagnostics, limits.record_bytes, limits.variation_depth) = (3, 500, 2);
        limits
    };
    for limits in [Limits::DEFAULT, few] {
        let mut checker = Checker::new(&check::CheckOptions::new().style(true).limits(limits));
        for game in Records::new(data, limits) {
            let report = checker.check(game);
            let found: u32 =
                [Severity::Style, Severity::Warning, Severity::Error].map(|s| report.count(s)).iter().sum();
            assert_eq!(found, report.diagnostics.len() as u32 + report.not_kept(), "findings are counted");
            for finding in report.diagnostics {
                assert!(finding.span.end as usize <= game.bytes.len(), "{finding:?} outside of its game");
                let _ = check::detail(game.bytes, finding);
            }
        }
    }
}

/// A syntax tree prints the bytes that it was built from.
pub fn tree(data: &[u8]) {
    for limits in all_limits() {
        let mut builder = TreeBuilder::with_limits(limits);
        let mut arena = Arena::new();
        for game in Records::new(data, limits) {
            let tree = builder.build(game.bytes, &arena);
            assert_eq!(tree.print(), game.bytes, "{limits:?}");
            let _ = (tree.tag("White"), tree.terminator(), tree.tags().count());
            assert!(tree.moves().count() <= game.bytes.len());
            arena.reset();
        }
    }
}
