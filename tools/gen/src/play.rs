//! Plays games that resemble human ones: openings of real games or from theory, moves that lose nothing within two plies, some blunders, draws by
//! agreement, resignation in lost positions, and some games played to the end.
//!
//! This is no engine: it looks at two plies and forced captures, and at the second ply only if the rating allows it. Captures,
//! exchanges, promotions and lengths must be as frequent as in real archives; the crate documentation compares them.

use std::collections::HashMap;

use pdn::movegen::MoveList;
use pdn::position::{Move, StableKey};
use pdn::rules::{GameRules, Variant};
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Ending, Ruleset};

use crate::openings::Openings;
use crate::random::{Random, Zipf, mix};
use crate::search::{MAN, Search, WON, Word, Worth};
use crate::temper::Temper;

/// Number of plies that follow theory where no real games are known.
const THEORY_PLIES: usize = 10;
/// Number of plies in which real openings, or their continuation, are played.
const OPENING_PLIES: usize = 16;
/// Number of positions whose theory is cached, about 200 bytes each.
const THEORY_SIZE: usize = 20_000;
/// Maximum length of a game in plies.
const MAX_PLIES: usize = 300;
/// Number of candidate moves whose replies are examined.
const SECOND_LOOKS: usize = 4;

/// A ply of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ply<B> {
    pub(crate) mv: Move<B>,
    /// `true` if another legal move has the same first and last square.
    pub(crate) ambiguous: bool,
}

/// A played game.
#[derive(Clone, Debug)]
pub(crate) struct Played<B> {
    pub(crate) start: State<B>,
    pub(crate) plies: Vec<Ply<B>>,
    /// The winner; `None` for a draw.
    pub(crate) winner: Option<Colour>,
}

/// The conditions of a game before it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    /// Ratings of White and of Black.
    pub(crate) ratings: [u32; 2],
    /// Number of plies of theory before the position at which the game begins; 0 for the start position.
    pub(crate) setup: usize,
}

/// Plays games under one ruleset. What it caches between games does not change the games.
#[derive(Debug)]
pub(crate) struct Player<R: Ruleset> {
    rules: R,
    game: GameRules,
    temper: Temper,
    search: Search<R>,
    /// Value of the square for a man, by colour and bit.
    squares: [[i32; 128]; 2],
    /// Legal moves of the position and their values.
    list: MoveList<Word<R>>,
    values: Vec<Value>,
    /// The same for the position after the move examined last.
    replies: MoveList<Word<R>>,
    reply_values: Vec<Value>,
    theory: HashMap<StableKey, Box<[Ply<Word<R>>]>>,
    ranks: Zipf,
    openings: Vec<&'static Openings>,
    /// The moves of real games in positions that were looked up; `None` if there are none.
    known: HashMap<StableKey, Option<KnownMoves<Word<R>>>>,
}

/// The moves of real games in a position.
#[derive(Clone, Debug)]
struct KnownMoves<B> {
    /// The moves, each with the number of games that played it or one before it.
    moves: Box<[(u32, Ply<B>)]>,
    /// The number of games, also those that played other moves.
    games: u32,
}

/// The value of a move in material, and whether it forces a capture.
#[derive(Clone, Copy, Debug)]
struct Value {
    material: i32,
    forces: bool,
}

impl<R: Ruleset> Player<R> {
    pub(crate) fn new(rules: R, variant: Variant, temper: Temper) -> Self {
        let game = variant.game();
        Self {
            openings: Openings::of(variant),
            known: HashMap::new(),
            rules,
            game,
            temper,
            search: Search::new(rules, Worth::new(&game.rules)),
            squares: square_values(&game),
            list: MoveList::new(),
            values: Vec::new(),
            replies: MoveList::new(),
            reply_values: Vec::new(),
            theory: HashMap::new(),
            ranks: Zipf::new(64),
        }
    }

    /// Returns the start position.
    pub(crate) fn start(&self) -> State<Word<R>> {
        State::start(&self.game.rules, self.game.numbering.start)
    }

    /// Plays a game into `played`.
    pub(crate) fn play(&mut self, known: Match, random: &mut Random, played: &mut Played<Word<R>>) {
        let mut state = self.start();
        played.plies.clear();
        for ply in 0..known.setup {
            match self.opening(&state, ply, random) {
                Some(ply) => state.play(self.rules, &ply.mv),
                None => break,
            }
        }
        // A FEN does not contain the counters of kings' moves.
        state.streaks = Default::default();
        played.start = state;
        let mut mood = Mood::new(&self.temper, random);
        let mut listed = false;
        played.winner = loop {
            let turn = state.turn;
            let count = played.plies.len();
            if let Some(ply) = self.opening(&state, count + known.setup, random) {
                mood.note(&state, &ply.mv, self.search.worth);
                state.play(self.rules, &ply.mv);
                played.plies.push(ply);
                listed = false;
                continue;
            }
            if !listed {
                self.list(&state);
            }
            if self.list.is_empty() {
                let wins = self.game.rules.ending == Ending::NoMoveWins;
                break Some(if wins { turn } else { !turn });
            }
            if let Some(winner) =
                mood.end(turn, count, self.values[0].forces || self.list[0].is_capture(), random)
            {
                break winner;
            }
            let ply;
            (ply, listed) = self.choose(&state, known.ratings[turn as usize], random);
            mood.note(&state, &ply.mv, self.search.worth);
            state.play(self.rules, &ply.mv);
            played.plies.push(ply);
            if listed {
                std::mem::swap(&mut self.list, &mut self.replies);
                std::mem::swap(&mut self.values, &mut self.reply_values);
            }
            if self.game.rules.ending == Ending::FirstKingWins && ply.mv.promotes {
                break Some(turn);
            }
        };
    }

    /// Chooses a reasonable move for a variation: not the move `not`, unless it is the only one.
    pub(crate) fn alternative(
        &mut self,
        state: &State<Word<R>>,
        not: Option<&Move<Word<R>>>,
        random: &mut Random,
    ) -> Option<Ply<Word<R>>> {
        self.list(state);
        let noise = self.temper.noise;
        let best = (0..self.list.len())
            .filter(|&at| Some(&self.list[at]) != not)
            .max_by_key(|&at| (self.values[at].material + random.below(noise) as i32, at))?;
        Some(self.ply(best))
    }

    /// Lists the legal moves of a position with their values.
    fn list(&mut self, state: &State<Word<R>>) {
        self.search.moves(state, &mut self.list);
        evaluate(&mut self.search, state, &self.list, &mut self.values);
    }

    /// Chooses one of the listed moves; the flag is `true` if the replies to it are listed.
    fn choose(&mut self, state: &State<Word<R>>, rating: u32, random: &mut Random) -> (Ply<Word<R>>, bool) {
        if self.list.len() == 1 {
            return (self.ply(0), false);
        }
        let squares = &self.squares[state.turn as usize];
        let mut scores: [i32; 128] = [i32::MIN; 128];
        for (score, (mv, value)) in scores.iter_mut().zip(self.list.iter().zip(&self.values)) {
            *score = value.material + random.below(self.temper.noise) as i32;
            if value.forces {
                *score += self.temper.exchange;
            }
            if !state.kings.has(mv.from.bit()) {
                *score += squares[usize::from(mv.to.bit() & 127)] - squares[usize::from(mv.from.bit() & 127)];
            }
        }
        let len = self.list.len().min(scores.len());
        let scores = &mut scores[..len];
        let best = |scores: &[i32]| {
            scores
                .iter()
                .enumerate()
                .max_by_key(|&(at, &score)| (score, std::cmp::Reverse(at)))
                .map_or(0, |(at, _)| at)
        };
        let mut chosen = best(scores);
        // Weak players do not examine replies.
        if random.below(3000) > rating + self.temper.care {
            return (self.ply(chosen), false);
        }
        let mut looked_at: [Option<usize>; SECOND_LOOKS] = [None; SECOND_LOOKS];
        for look in 0..SECOND_LOOKS {
            let deeper = self.second_look(state, chosen);
            scores[chosen] += deeper - self.values[chosen].material;
            looked_at[look] = Some(chosen);
            let next = best(scores);
            if next == chosen {
                return (self.ply(chosen), true);
            }
            chosen = next;
            if looked_at.contains(&Some(chosen)) {
                break;
            }
        }
        (self.ply(chosen), false)
    }

    /// Returns the value of a move after the best reply. The replies remain listed.
    fn second_look(&mut self, state: &State<Word<R>>, at: usize) -> i32 {
        let mv = self.list[at];
        let mut after = *state;
        after.play(self.rules, &mv);
        self.search.moves(&after, &mut self.replies);
        evaluate(&mut self.search, &after, &self.replies, &mut self.reply_values);
        match self.reply_values.iter().map(|value| value.material).max() {
            Some(best) => self.search.worth.gain(state, &mv) - best,
            None if self.game.rules.ending == Ending::NoMoveWins => -WON,
            None => WON,
        }
    }

    /// Draws a move of the opening: one that people play in the position as often as they do, or one of theory where they
    /// are not known. `None` if the player has to think.
    fn opening(&mut self, state: &State<Word<R>>, ply: usize, random: &mut Random) -> Option<Ply<Word<R>>> {
        if self.openings.is_empty() {
            return if ply < THEORY_PLIES { self.theoretical(state, ply, random) } else { None };
        }
        if ply >= OPENING_PLIES {
            return None;
        }
        let key = state.key_on(R::Geometry::BOARD);
        if !self.known.contains_key(&key) {
            let moves = self.known_moves(state, key);
            if self.known.len() >= THEORY_SIZE {
                self.known.clear();
            }
            self.known.insert(key, moves);
        }
        if let Some(Some(known)) = self.known.get(&key) {
            let drawn = random.below(known.games);
            let at = known.moves.partition_point(|&(end, _)| end <= drawn);
            if let Some(&(_, ply)) = known.moves.get(at) {
                return Some(ply);
            }
        }
        if random.permille(self.temper.habit) { self.theoretical(state, ply, random) } else { None }
    }

    /// Returns the legal moves of a position that people play, from the first table that has the position.
    fn known_moves(&mut self, state: &State<Word<R>>, key: StableKey) -> Option<KnownMoves<Word<R>>> {
        let found = self.openings.iter().find_map(|table| table.moves(key))?;
        self.list(state);
        let (mut moves, mut games) = (Vec::with_capacity(found.moves.len()), 0);
        for &(from, to, count) in &found.moves {
            let at = self.list.iter().position(|mv| (mv.from.bit(), mv.to.bit()) == (from, to));
            if let Some(at) = at {
                games += count;
                moves.push((games, self.ply(at)));
            }
        }
        (games > 0).then(|| KnownMoves { moves: moves.into(), games: games + found.other })
    }

    /// Draws a move of theory; the popularity of moves in a position never changes.
    fn theoretical(
        &mut self,
        state: &State<Word<R>>,
        ply: usize,
        random: &mut Random,
    ) -> Option<Ply<Word<R>>> {
        let key = state.key_on(R::Geometry::BOARD);
        if !self.theory.contains_key(&key) {
            let line = self.theory_of(state, key);
            if self.theory.len() >= THEORY_SIZE {
                self.theory.clear();
            }
            self.theory.insert(key, line);
        }
        let moves = &self.theory[&key];
        let last = moves.len().checked_sub(1)?;
        let width = moves.len().min(self.temper.theory_width);
        let rank = if ply < self.temper.ballot && random.permille(500) {
            random.index(width)
        } else if ply >= self.temper.ballot.max(2) && random.permille(self.temper.main_line) {
            0
        } else {
            self.ranks.draw_of(random, width)
        };
        Some(moves[rank.min(last)])
    }

    fn theory_of(&mut self, state: &State<Word<R>>, key: StableKey) -> Box<[Ply<Word<R>>]> {
        self.list(state);
        let squares = &self.squares[state.turn as usize];
        // Where no real games are known, people are supposed to prefer the centre.
        let whims = if self.openings.is_empty() { 8 } else { 40 };
        let taste =
            |mv: &Move<Word<R>>| mix(key.0 ^ u64::from(mv.from.bit()) << 8 ^ u64::from(mv.to.bit())) % whims;
        let mut order: Vec<(i32, usize)> = self
            .list
            .iter()
            .zip(&self.values)
            .enumerate()
            .map(|(at, (mv, value))| {
                let placed =
                    squares[usize::from(mv.to.bit() & 127)] - squares[usize::from(mv.from.bit() & 127)];
                let exchange = if value.forces { self.temper.exchange } else { 0 };
                (value.material + 2 * placed + exchange + taste(mv) as i32, at)
            })
            .collect();
        order.sort_by_key(|&(score, at)| (std::cmp::Reverse(score), at));
        // Moves that lose a man are not theory.
        let best = order.first().map_or(0, |&(_, at)| self.values[at].material);
        let sound = order.iter().filter(|&&(_, at)| self.values[at].material > best - MAN);
        sound.map(|&(_, at)| self.ply(at)).collect()
    }

    /// Returns a listed move as a ply.
    fn ply(&self, at: usize) -> Ply<Word<R>> {
        let mv = self.list[at];
        let same_ends = |other: &&Move<Word<R>>| other.from == mv.from && other.to == mv.to;
        Ply { mv, ambiguous: mv.is_capture() && self.list.iter().filter(same_ends).count() > 1 }
    }
}

fn evaluate<R: Ruleset>(
    search: &mut Search<R>,
    state: &State<Word<R>>,
    list: &MoveList<Word<R>>,
    values: &mut Vec<Value>,
) {
    values.clear();
    values.extend(list.iter().map(|mv| {
        let (material, forces) = search.value(state, mv);
        Value { material, forces }
    }));
}

/// Decides when the players stop.
#[derive(Debug)]
struct Mood {
    /// Number of plies after which an even game is drawn by agreement.
    peace: usize,
    /// Deficit in material at which a side resigns, and its duration in plies.
    despair: i32,
    patience: u32,
    /// `true` if the game is played to the last piece.
    stubborn: bool,
    /// Number of consecutive king moves after which the game is drawn.
    weary: u32,
    /// Probability of a draw by agreement per ply in a quiet position, in thousandths.
    agree: u32,
    /// White's advantage in material.
    balance: i32,
    behind: u32,
    quiet: u32,
}

impl Mood {
    fn new(temper: &Temper, random: &mut Random) -> Self {
        let mut thirds = || random.below(2 * temper.spread as u32 / 3) as usize;
        let around = thirds() + thirds() + thirds();
        Self {
            peace: (temper.peace + around).saturating_sub(temper.spread),
            despair: MAN * random.range(temper.despair[0], temper.despair[1]) / 4,
            patience: random.below(temper.patience) + 1,
            stubborn: random.permille(temper.stubborn),
            weary: 3 + random.below(temper.weary),
            agree: temper.agree,
            balance: 0,
            behind: 0,
            quiet: 0,
        }
    }

    /// Updates the state with a move, before it is played.
    fn note<B: Bits>(&mut self, state: &State<B>, mv: &Move<B>, worth: Worth) {
        let gain = worth.gain(state, mv);
        self.balance += if state.turn == Colour::White { gain } else { -gain };
        let man = !state.kings.has(mv.from.bit());
        self.quiet = if man || mv.is_capture() { 0 } else { self.quiet + 1 };
        self.behind = if self.balance.abs() >= self.despair { self.behind + 1 } else { 0 };
    }

    /// Returns the winner if the game stops here, because the side to move resigns or both agree to a draw (`Some(None)`).
    fn end(&self, turn: Colour, plies: usize, tension: bool, random: &mut Random) -> Option<Option<Colour>> {
        let own = if turn == Colour::White { self.balance } else { -self.balance };
        let agreed = Some(None);
        if plies >= MAX_PLIES || self.quiet >= 2 * self.weary + if self.stubborn { 30 } else { 0 } {
            return agreed;
        }
        if tension {
            return None;
        }
        if own <= -self.despair && self.behind > self.patience && !self.stubborn && random.permille(300) {
            return Some(Some(!turn));
        }
        if plies > self.peace && own.abs() < MAN && random.permille(self.agree) {
            return agreed;
        }
        None
    }
}

/// Returns the values of squares for men by colour and bit: advancing and the centre are better, leaving the back row worse.
fn square_values(game: &GameRules) -> [[i32; 128]; 2] {
    let board = game.rules.board;
    let (height, width) = (i32::from(board.height()), i32::from(board.width()));
    let mut values = [[0; 128]; 2];
    for row in 0..board.height() {
        for column in 0..board.width() {
            let Some(square) = board.square(row, column) else { continue };
            let middle = (width - 1 - (2 * i32::from(column) - (width - 1)).abs()) / 2;
            let way = i32::from(row);
            for (colour, gone) in [(Colour::White, height - 1 - way), (Colour::Black, way)] {
                let home = if gone == 0 { 9 } else { 0 };
                let close = if gone >= height - 3 { 6 * (gone - (height - 4)) } else { 0 };
                values[colour as usize][usize::from(square.bit())] = middle + gone + home + close;
            }
        }
    }
    values
}
