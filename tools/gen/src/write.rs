//! Writes games as text: tags, moves, comments, variations, clock times and deliberate damage.

use std::borrow::Cow;
use std::io::Write;

use pdn::limits::Limits;
use pdn::position::Position;
use pdn::rules::{GameRules, Variant};
use pdn::value::Colour;
use pdn_rules::internal::board::Bits;
use pdn_rules::internal::movegen::{FindError, find, paths};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::Ruleset;

use super::manifest::DamageKind;
use crate::event::{Event, Pairing};
use crate::manifest::Counts;
use crate::options::Options;
use crate::play::{Match, Played, Player, Ply};
use crate::random::Random;
use crate::remarks;
use crate::search::Word;
use crate::style::{Lines, Names, Style, Terminator};
use crate::temper::Temper;
use crate::wrap::Line;

/// Plays and writes games of one variant.
pub(crate) trait Author: std::fmt::Debug {
    /// Appends a game to `out` and returns its contents.
    fn write(&mut self, task: &Task<'_>, random: &mut Random, out: &mut Vec<u8>) -> Written;
}

/// The properties of a game before it is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    pub(crate) options: &'a Options,
    pub(crate) event: &'a Event,
    pub(crate) names: &'a Names,
    /// Number of the game in its event, from 0.
    pub(crate) game: u64,
}

/// The contents of a written game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) counts: Counts,
    pub(crate) damage: Option<(DamageKind, Option<u32>)>,
}

/// The author for a ruleset.
#[derive(Debug)]
pub(crate) struct Desk<R: Ruleset> {
    rules: R,
    variant: Variant,
    game: GameRules,
    player: Player<R>,
    played: Played<Word<R>>,
    /// The word of the current move.
    word: Vec<u8>,
}

impl<R: Ruleset> Desk<R> {
    pub(crate) fn new(rules: R, variant: Variant) -> Self {
        let game = variant.game();
        let player = Player::new(rules, variant, Temper::of(variant));
        let played = Played { start: player.start(), plies: Vec::new(), winner: None };
        Self { rules, variant, game, player, played, word: Vec::new() }
    }
}

impl<R: Ruleset> Author for Desk<R> {
    fn write(&mut self, task: &Task<'_>, random: &mut Random, out: &mut Vec<u8>) -> Written {
        let Task { options, event, .. } = *task;
        let record_at = out.len();
        let pairing = event.pairing(task.game, random);
        let setup = if random.chance(options.setups) { 2 + random.index(12) } else { 0 };
        let ratings = [pairing.white.rating, pairing.black.rating];
        self.player.play(Match { ratings, setup }, random, &mut self.played);
        let damage = self.damage(options, random);
        // A contradicting result needs a game with a result.
        let unfinished = random.permille(5) && !matches!(damage, Some((DamageKind::WrongResult, _)));
        let plan = Plan {
            words: random.chance(options.comments),
            variations: random.chance(options.variations),
            clocks: random.chance(options.clocks).then(|| Clocks::new(event.is_server(), random)),
            game_type: random.chance(options.game_types),
            setup: setup > 0 || self.variant.rules().setup != self.variant_of_number().rules().setup,
            result: if unfinished { None } else { Some(self.result()) },
            damage,
        };
        let mut counts = Counts { games: 1, ..Counts::default() };
        self.tags(task, &plan, &pairing, random, out);
        let moves_at = out.len();
        let whole = self.moves(task, &plan, random, out, &mut counts);
        counts = if plan.damage.is_some() {
            Counts { games: 1, damaged: 1, ..Counts::default() }
        } else {
            let results = [Some(0), Some(1), Some(2), None].map(|result| u64::from(plan.result == result));
            let [first_wins, draws, second_wins, unfinished] = results;
            Counts {
                first_wins,
                draws,
                second_wins,
                unfinished,
                game_types: plan.game_type.into(),
                setups: plan.setup.into(),
                commented: plan.words.into(),
                varied: plan.variations.into(),
                timed: plan.clocks.is_some().into(),
                ..counts
            }
        };
        let mut damage = plan.damage.map(|(kind, ply)| (kind, kind.needs_plies().then_some(ply as u32)));
        if let (Some((DamageKind::Truncated, ply)), Some((end, plies))) = (&mut damage, whole) {
            // A random place within or just before the word of this ply.
            out.truncate(end.max(moves_at));
            *ply = Some(plies);
            out.extend_from_slice(event.style.newline.as_bytes());
        }
        if event.style.glued {
            out.truncate(out.len() - event.style.newline.len());
        } else {
            out.extend_from_slice(event.style.newline.as_bytes());
        }
        if event.style.control_z && task.game + 1 == crate::event::GAMES {
            out.push(0x1A);
        }
        if let Some(carrier) = event.style.carrier {
            let record = String::from_utf8_lossy(&out[record_at..]).into_owned();
            out.truncate(record_at);
            out.extend_from_slice(carrier.carry(&record, task.game == 0).as_bytes());
        }
        if let Some(encoding) = options.dialect.encoding() {
            let text = String::from_utf8_lossy(&out[record_at..]);
            let text = options.dialect.writable(&text);
            let bytes = encoding.encode(&text).map(Cow::into_owned).unwrap_or_default();
            out.splice(record_at.., bytes);
        }
        Written { counts, damage }
    }
}

/// The features of a game.
#[derive(Clone, Debug)]
struct Plan {
    words: bool,
    variations: bool,
    clocks: Option<Clocks>,
    game_type: bool,
    setup: bool,
    /// 0 for a win of the side that moves first, 1 for a draw, 2 for a win of the other side.
    result: Option<usize>,
    damage: Option<(DamageKind, usize)>,
}

impl<R: Ruleset> Desk<R> {
    /// Returns the variant that readers assume from the GameType number alone: Frisian for Frysk!.
    fn variant_of_number(&self) -> Variant {
        if self.variant == Variant::Frysk { Variant::Frisian } else { self.variant }
    }

    fn result(&self) -> usize {
        match self.played.winner {
            None => 1,
            Some(winner) if winner == self.game.numbering.start => 0,
            Some(_) => 2,
        }
    }

    fn damage(&self, options: &Options, random: &mut Random) -> Option<(DamageKind, usize)> {
        if !random.chance(options.damage) {
            return None;
        }
        let mut kind = *random.pick(&DamageKind::ALL);
        let plies = self.played.plies.len();
        if kind.needs_plies() && plies < 4 {
            kind = DamageKind::WrongResult;
        }
        // Not the first ply, so that every damaged game has movetext before the damage. Not the last ply, because a missing
        // ply is noticed only at the next one.
        Some((kind, 1 + random.index(plies.saturating_sub(2).max(1))))
    }

    fn tags(
        &self,
        task: &Task<'_>,
        plan: &Plan,
        pairing: &Pairing<'_>,
        random: &mut Random,
        out: &mut Vec<u8>,
    ) {
        let Task { event, .. } = *task;
        let style = &event.style;
        let start = out.len();
        let mut tag = |name: &str, value: &dyn std::fmt::Display| {
            // Writing to memory cannot fail.
            let _ = write!(out, "[{name} \"{value}\"]{}", style.newline);
        };
        tag("Event", &event.name);
        tag("Site", &event.site);
        let date = pairing.date;
        match (date.day(), date.month(), date.year()) {
            (Some(day), Some(month), Some(year)) if style.day_first => {
                tag("Date", &format_args!("{day:02}-{month:02}-{year}"));
            }
            _ => tag("Date", &date),
        }
        match pairing.round {
            Some(round) => tag("Round", &round),
            None => tag("Round", &"-"),
        }
        tag("White", &pairing.white.name(event.spelling));
        tag("Black", &pairing.black.name(event.spelling));
        let results = style.results();
        let wrong = matches!(plan.damage, Some((DamageKind::WrongResult, _)));
        let shown = match plan.result {
            Some(result) if wrong => Some((result + 1) % 3),
            result => result,
        };
        tag("Result", &shown.map_or("*", |result| results[result]));
        let ratings = event.is_server() || random.permille(500);
        if ratings {
            for (side, person) in [("White", pairing.white), ("Black", pairing.black)] {
                if let Some(title) = person.title().filter(|_| !event.is_server()) {
                    tag(&format!("{side}Title"), &title);
                }
                tag(&format!("{side}Rating"), &person.rating);
            }
        }
        if plan.game_type {
            tag("GameType", &self.variant.tag());
        }
        if let Some(clocks) = &plan.clocks {
            tag("TimeControl", &format_args!("{}+{}", clocks.base, clocks.increment));
        }
        if plan.setup {
            let position = Position::from_state(self.game, self.played.start.resized());
            tag("FEN", &position.fen_in(style.letters));
        }
        if matches!(plan.damage, Some((DamageKind::LostBracket, _))) {
            out.remove(start);
        }
        if style.gap {
            out.extend_from_slice(style.newline.as_bytes());
        }
    }

    /// Writes the moves. For truncated games, returns the place of the cut and the number of complete plies before it.
    fn moves(
        &mut self,
        task: &Task<'_>,
        plan: &Plan,
        random: &mut Random,
        out: &mut Vec<u8>,
        counts: &mut Counts,
    ) -> Option<(usize, u32)> {
        let Task { event, names, .. } = *task;
        let style = &event.style;
        let starts = self.game.numbering.start;
        let mut line = Line::new(out, style);
        let mut state = self.played.start;
        let first = usize::from(state.turn != starts);
        let mut clocks = plan.clocks.clone();
        let (damage, damaged_ply) = plan.damage.map_or((None, usize::MAX), |(kind, ply)| (Some(kind), ply));
        let mut cut = None;
        let mut interrupted = true;
        for count in 0..self.played.plies.len() {
            let ply = self.played.plies[count];
            let number = (first + count) / 2 + 1;
            let at_first = (first + count).is_multiple_of(2);
            let here = damage.filter(|_| count == damaged_ply);
            match here {
                Some(DamageKind::OpenComment) => line.words(b"{a comment that nobody closed"),
                Some(DamageKind::OpenVariation) => line.word(b"("),
                Some(DamageKind::Garbage) => {
                    let bytes: [u8; 6] =
                        std::array::from_fn(|_| *random.pick(b"\x00\x01\x07\x7f\xff\xfe\x80@#^~&"));
                    line.word(&bytes);
                }
                _ => {}
            }
            if at_first {
                if style.lines == Lines::Pairs && count > 0 {
                    line.end();
                }
                line.number(number, ".", style.tight);
            } else if interrupted {
                line.number(number, "...", style.tight);
            }
            interrupted = false;
            self.word.clear();
            match here {
                Some(DamageKind::IllegalMove) => self.illegal(&state, names, random),
                Some(DamageKind::MissingMove) => {}
                _ => self.move_word(&state, &ply, style, names),
            }
            let strength = plan.words && random.permille(60);
            if strength {
                self.word.extend_from_slice(random.pick(&["!", "?", "!?", "?!", "!!", "??"]).as_bytes());
                counts.annotations += 1;
            }
            if here == Some(DamageKind::GluedText) {
                self.word.extend_from_slice(b"Blackoversteppedthetimelimit.");
            }
            line.word(&self.word);
            if here == Some(DamageKind::Truncated) {
                // The cut leaves no part of the second square, which could be another legal move.
                let from = self.word.iter().position(|byte| matches!(byte, b'-' | b'x' | b':')).unwrap_or(0);
                cut = Some((line.out.len() - self.word.len() + random.index(from + 1), count as u32));
            }
            counts.plies += 1;
            counts.captures += u64::from(ply.mv.is_capture());
            if plan.words && random.permille(40) {
                line.word(random.pick(&["$1", "$2", "$3", "$4", "$5", "$6", "$7", "$14"]).as_bytes());
                counts.annotations += 1;
            }
            if plan.words && random.permille(70) {
                line.words(&remarks::remark(names, &self.game, style, random));
                counts.comments += 1;
                interrupted = true;
            }
            if let Some(clocks) = &mut clocks {
                clocks.moved(state.turn, random);
                line.words(&clocks.command(state.turn));
                counts.comments += 1;
                interrupted = true;
            }
            let late = count + 1 == self.played.plies.len() && counts.variations == 0;
            if plan.variations && (late || random.permille(50)) {
                interrupted |=
                    self.variation(&state, &ply, first + count, style, names, random, &mut line, counts);
            }
            state.play(self.rules, &ply.mv);
        }
        if plan.words && counts.comments == 0 {
            line.words(&remarks::remark(names, &self.game, style, random));
            counts.comments += 1;
        }
        let results = style.results();
        match style.end {
            _ if damage == Some(DamageKind::NoTerminator) => {}
            // Normally the tag contains the result; if the tag is wrong, the terminator must have it.
            Terminator::Star if damage != Some(DamageKind::WrongResult) => line.word(b"*"),
            Terminator::Nothing if damage != Some(DamageKind::WrongResult) => {}
            _ => line.word(plan.result.map_or("*", |result| results[result]).as_bytes()),
        }
        line.end();
        cut
    }

    /// Appends a move to the current word.
    fn move_word(&mut self, state: &State<Word<R>>, ply: &Ply<Word<R>>, style: &Style, names: &Names) {
        let mv = &ply.mv;
        let [step, jump] = style.separators.unwrap_or(['-', self.game.rules.capture_separator]);
        let separator = if mv.is_capture() { jump } else { step } as u8;
        names.write(mv.from, &mut self.word);
        if ply.ambiguous || (style.chains && mv.captured_squares().nth(1).is_some()) {
            // Captures in games are far below the limit; without a path, the two ends are written.
            let paths = paths(self.rules, state, mv, Limits::DEFAULT.capture_nodes).unwrap_or_default();
            if let Some(path) = paths.first() {
                for &square in &path.squares[1..path.squares.len() - 1] {
                    self.word.push(separator);
                    names.write(square, &mut self.word);
                }
            }
        }
        self.word.push(separator);
        names.write(mv.to, &mut self.word);
    }

    /// Appends a move that is illegal in this position.
    fn illegal(&mut self, state: &State<Word<R>>, names: &Names, random: &mut Random) {
        let board = self.game.rules.board;
        let from = self
            .played
            .plies
            .iter()
            .map(|ply| ply.mv.from)
            .find(|from| state.side(state.turn).has(from.bit()));
        let from = from.unwrap_or(self.played.plies[0].mv.from);
        loop {
            let (row, column) =
                (random.below(u32::from(board.height())), random.below(u32::from(board.width())));
            let Some(to) = board.square(row as u8, column as u8) else { continue };
            let found = find(self.rules, state, from, to, Limits::DEFAULT.capture_nodes);
            if to != from && matches!(found, Err(FindError::Illegal)) {
                names.write(from, &mut self.word);
                self.word.push(b'-');
                names.write(to, &mut self.word);
                return;
            }
        }
    }

    /// Writes a variation for the next ply, if it has an alternative.
    #[expect(
        clippy::too_many_arguments,
        reason = "everything that the moves of the main line need, and the line"
    )]
    fn variation(
        &mut self,
        state: &State<Word<R>>,
        played: &Ply<Word<R>>,
        mut half: usize,
        style: &Style,
        names: &Names,
        random: &mut Random,
        line: &mut Line<'_>,
        counts: &mut Counts,
    ) -> bool {
        let mut state = *state;
        let Some(mut ply) = self.player.alternative(&state, Some(&played.mv), random) else { return false };
        line.word(b"(");
        line.glue();
        let plies = 1 + random.below(6);
        for count in 0..plies {
            if half.is_multiple_of(2) {
                line.number(half / 2 + 1, ".", style.tight);
            } else if count == 0 {
                line.number(half / 2 + 1, "...", style.tight);
            }
            self.word.clear();
            self.move_word(&state, &ply, style, names);
            line.word(&self.word);
            counts.variation_plies += 1;
            state.play(self.rules, &ply.mv);
            half += 1;
            match self.player.alternative(&state, None, random) {
                Some(next) => ply = next,
                None => break,
            }
        }
        line.glue();
        line.word(b")");
        counts.variations += 1;
        true
    }
}

/// Two game clocks.
#[derive(Clone, Debug)]
struct Clocks {
    base: u32,
    increment: u32,
    /// Remaining seconds of White and Black.
    left: [u32; 2],
    /// `true` if only the clock of the player who moved is written.
    single: bool,
}

impl Clocks {
    fn new(server: bool, random: &mut Random) -> Self {
        let (base, increment) = *random.pick(if server {
            &[(60, 1), (300, 3), (600, 0)]
        } else {
            &[(4800, 60), (5400, 30), (7200, 0)]
        });
        Self { base, increment, left: [base; 2], single: server || random.permille(300) }
    }

    fn moved(&mut self, side: Colour, random: &mut Random) {
        let left = &mut self.left[side as usize];
        let used = 1 + random.below(self.base / 20) * random.below(100) / 100;
        *left = left.saturating_sub(used).max(1) + self.increment;
    }

    /// Returns the comment after a move; the running clock is in capitals.
    fn command(&self, moved: Colour) -> Vec<u8> {
        let time = |side: Colour| {
            let left = self.left[side as usize];
            format!("{}:{:02}:{:02}", left / 3600, left / 60 % 60, left % 60)
        };
        if self.single {
            return format!("{{[%clk {}]}}", time(moved)).into_bytes();
        }
        let letters = if moved == Colour::White { ['w', 'B'] } else { ['W', 'b'] };
        let [white, black] = [time(Colour::White), time(Colour::Black)];
        format!("{{[%clock {}{white} {}{black}]}}", letters[0], letters[1]).into_bytes()
    }
}
