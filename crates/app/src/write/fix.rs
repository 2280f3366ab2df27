//! Repairs of damaged games where a replay proves the repair, and other names.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::archive::{Batch, GameRef};
use pdn::diag::{Code, Severity};
use pdn::edit::{EditedFile, TextEdit, TextEdits};
use pdn::fix::{Applicability, Fixer, Proof, Repair, RepairPlan};
use pdn::internal::edit::UnifiedDiff;
use pdn::internal::edit::ValueEdits;
use pdn::internal::fix::Candidate;
use pdn::internal::source::{LineCounter, path_text};
use pdn::replay::ReplayOptions;
use pdn::source::Encoding;
use pdn::span::LineColumn;
use pdn::stop::Stop;
use pdn::view::RecordView;
#[cfg(feature = "index")]
use pdn_index::name_edits;
#[cfg(feature = "index")]
use pdn_names::NameMap;
use serde::{Serialize, Serializer};

use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::options::options;
use crate::read::inputs::{self, BatchConsumer, BatchWork, Inputs};
use crate::read::paths::serialize_paths;
use crate::read::plain_text;
#[cfg(feature = "index")]
use crate::write::name_map;
#[cfg(not(feature = "index"))]
use crate::write::without_names::{NameMap, name_edits};

/// The code of changes of names.
const NAMES: &str = "names";
/// The word for all codes of more than style.
const DAMAGE: &str = "damage";

options! {
    /// What becomes of the files.
    pub struct FixFiles in "" {
        /// Replace the files instead of printing a diff, and write a journal next to each
        write: bool;
        /// Also change the names that this file lists, which `pdn names` wrote and you have read
        names: Option<PathBuf>, value "FILE";
    }
}

options! {
    /// Which repairs are applied.
    #[derive(Eq)]
    pub struct FixRules in "" {
        /// Also apply repairs that change the meaning of a damaged game
        unsafe_repairs: bool, name "unsafe";
        /// Apply only repairs of these codes: a code such as T025, its beginning such as T or R0, or `damage` for all of more than
        /// style, separated by commas
        select: Vec<String>, value "CODES";
        /// Leave out repairs of these codes, in the same words
        ignore: Vec<String>, value "CODES";
    }
}

/// Asks for repairs of archives.
#[derive(Clone, Debug)]
pub struct FixRequest {
    /// The archives.
    pub inputs: Inputs,
    /// Files are replaced, each with a journal next to it; the repaired text of standard input is passed on.
    pub write: bool,
    /// What would be changed is passed on as a unified diff.
    pub diff: bool,
    /// Which repairs are applied.
    pub rules: FixRules,
    /// Other names of players, events and sites.
    pub names: Option<NameMap>,
}

/// What is found, in the order of the archives.
#[derive(Debug)]
pub enum FixEvent<'a> {
    /// A repair.
    Repair(&'a FoundRepair<'a>),
    /// A name that is changed.
    Name(&'a ChangedName<'a>),
    /// A piece of the diff.
    Diff(&'a [u8]),
    /// A piece of the repaired text of standard input.
    Text(&'a [u8]),
}

/// Receives what is found; breaks if nobody reads it any more.
pub type FixSink<'a> = &'a mut dyn FnMut(FixEvent<'_>) -> ControlFlow<()>;

/// The numbers of repairs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FixAnswer {
    /// Files that were read.
    pub files: u64,
    /// Files that were replaced.
    pub changed: u64,
    /// Games that were read.
    pub games: u64,
    /// Games with repairs that are applied.
    pub repaired: u64,
    /// Repairs that are applied.
    pub applied: u64,
    /// Repairs that keep the meaning.
    pub safe: u64,
    /// Repairs that change the meaning of a damaged game.
    #[serde(rename = "unsafe")]
    pub unsafe_repairs: u64,
    /// Places where several repairs fit.
    pub display: u64,
    /// These repairs by the code of what they cure.
    pub by_code: BTreeMap<&'static str, RepairCounts>,
    /// Names that are changed.
    pub names: u64,
    /// The journals of the replaced files.
    #[serde(serialize_with = "serialize_paths")]
    pub journals: Vec<PathBuf>,
    /// All inputs could be read, and all files written.
    #[serde(skip)]
    pub complete: bool,
}

/// Numbers of repairs of one code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairCounts {
    /// Repairs that keep the meaning.
    pub safe: u64,
    /// Repairs that change the meaning of a damaged game.
    #[serde(rename = "unsafe")]
    pub unsafe_repairs: u64,
    /// Places where several repairs fit.
    pub display: u64,
}

impl RepairCounts {
    fn add(&mut self, applicability: Applicability) {
        *match applicability {
            Applicability::Safe => &mut self.safe,
            Applicability::Unsafe => &mut self.unsafe_repairs,
            Applicability::Display => &mut self.display,
        } += 1;
    }
}

impl FixAnswer {
    /// Returns the number of repairs and names that are changed.
    pub fn changes(&self) -> u64 {
        self.applied + self.names
    }
}

impl FixRequest {
    /// Asks for what these options say. Nothing is passed on as a diff.
    ///
    /// # Errors
    ///
    /// If the file of names cannot be read.
    #[cfg(feature = "index")]
    pub fn with(inputs: Inputs, files: &FixFiles, rules: FixRules) -> Result<Self> {
        let names = files.names.as_deref().map(name_map::read).transpose()?;
        Ok(Self { inputs, write: files.write, diff: false, rules, names })
    }

    /// Finds the repairs, and applies those that are chosen.
    ///
    /// # Errors
    ///
    /// If a code is unknown, or the work was stopped, also by the sink. Inputs that cannot be read and files that cannot be
    /// replaced are problems of the context.
    pub fn run(&self, sink: FixSink<'_>, context: &mut Context<'_>) -> Result<FixAnswer> {
        self.check()?;
        let options = self.inputs.read.replay();
        let names = self.names.as_ref().filter(|_| self.chooses_names());
        let stop = context.stop.clone();
        let work = FixWork { request: self, options, stop, names, repairs: self.chooses_repairs() };
        let mut consumer = FixConsumer {
            request: self,
            sink,
            answer: FixAnswer::default(),
            in_file: AppliedCounts::default(),
            lines: LineCounter::new(),
            writer: None,
            diff: None,
            failed: false,
        };
        let complete = inputs::process(&self.inputs, None, &work, &mut consumer, context).map_err(
            |error| match error.code {
                ErrorCode::Stopped => AppError::plain(
                    ErrorCode::Stopped,
                    "stopped; files that were not finished have their old text",
                ),
                _ => error,
            },
        )?;
        let FixConsumer { mut answer, failed, .. } = consumer;
        answer.complete = complete && !failed;
        Ok(answer)
    }

    /// Checks the codes.
    fn check(&self) -> Result<()> {
        for (field, prefixes) in [("select", &self.rules.select), ("ignore", &self.rules.ignore)] {
            let is_known =
                |prefix: &str| is_names(prefix) || Code::ALL.iter().any(|code| selects(prefix, *code));
            if let Some(prefix) = prefixes.iter().find(|prefix| !is_known(prefix)) {
                let error =
                    AppError::plain(ErrorCode::InvalidValue, format!("`{prefix}` begins no diagnostic code"))
                        .in_field(field);
                return Err(
                    error.help("`pdn explain` lists all codes; `damage` stands for all of more than style")
                );
            }
        }
        Ok(())
    }

    /// Returns `true` if the codes allow changes of names.
    fn chooses_names(&self) -> bool {
        let has = |prefixes: &[String]| prefixes.iter().any(|prefix| is_names(prefix));
        (self.rules.select.is_empty() || has(&self.rules.select)) && !has(&self.rules.ignore)
    }

    /// Returns `true` if the request chooses the repair.
    fn chooses(&self, repair: &Repair) -> bool {
        let is_allowed = repair.applicability == Applicability::Safe
            || repair.applicability == Applicability::Unsafe && self.rules.unsafe_repairs;
        is_allowed && self.selects(repair.code)
    }

    /// Returns `true` if the request is about repairs of this code.
    fn selects(&self, code: Code) -> bool {
        let selected = |words: &[String]| words.iter().any(|word| selects(word, code));
        (self.rules.select.is_empty() || selected(&self.rules.select)) && !selected(&self.rules.ignore)
    }

    /// Returns `true` unless only names are chosen.
    fn chooses_repairs(&self) -> bool {
        self.rules.select.is_empty() || !self.rules.select.iter().all(|prefix| is_names(prefix))
    }
}

/// Returns `true` if `word` chooses a code: its beginning in either case, or [`DAMAGE`].
fn selects(word: &str, code: Code) -> bool {
    let prefix = word.trim();
    if prefix.eq_ignore_ascii_case(DAMAGE) {
        return code.severity() != Severity::Style;
    }
    code.id().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Returns `true` if a code means changes of names.
fn is_names(prefix: &str) -> bool {
    prefix.trim().eq_ignore_ascii_case(NAMES)
}

/// A repair and where it is.
#[derive(Debug)]
pub struct FoundRepair<'a> {
    /// Name of the input.
    pub file: &'a Path,
    /// Number of the record in the file, from 1.
    pub record: u64,
    /// The game.
    pub game: &'a GameRef<'a>,
    /// Offset of the record in the file.
    pub offset: u64,
    /// Line and column of the first changed byte.
    pub start: LineColumn,
    /// The repair.
    pub repair: &'a Repair,
    /// Whether it is applied.
    pub is_applied: bool,
    /// Whether the codes of the request choose it.
    pub is_selected: bool,
}

impl Serialize for FoundRepair<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let Self { game, repair, .. } = *self;
        let edits = |edits: &[TextEdit]| {
            edits.iter().map(|edit| RepairLineEdit::of(game, self.offset, edit)).collect::<Vec<_>>()
        };
        let candidate = |candidate: &Candidate| RepairLineCandidate {
            kind: candidate.kind.name(),
            edits: edits(&candidate.edits),
            proof: RepairLineProof::of(&candidate.proof),
        };
        let line = RepairLine {
            file: path_text(self.file),
            record: self.record,
            offset: self.offset,
            length: game.raw().len(),
            line: self.start.line,
            column: self.start.column,
            code: repair.code.id(),
            kind: repair.kind.name(),
            applicability: repair.applicability.name(),
            applied: self.is_applied,
            edits: edits(&repair.edits),
            proof: RepairLineProof::of(&repair.proof),
            candidates: repair.candidates.iter().map(candidate).collect(),
        };
        line.serialize(serializer)
    }
}

/// A changed name and where it is.
#[derive(Debug)]
pub struct ChangedName<'a> {
    /// Name of the input.
    pub file: &'a Path,
    /// The game.
    pub game: &'a GameRef<'a>,
    /// Line and column of the first changed byte.
    pub start: LineColumn,
    /// The change, with places in the record.
    pub edit: &'a TextEdit,
}

impl Serialize for ChangedName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let Self { game, edit, .. } = *self;
        let proof = RepairLineProof {
            moves: "same",
            text: "the name is in the file of names".to_owned(),
            replay: None,
        };
        let line = RepairLine {
            file: path_text(self.file),
            record: game.number(),
            offset: game.offset(),
            length: game.raw().len(),
            line: self.start.line,
            column: self.start.column,
            code: NAMES,
            kind: "name",
            applicability: Applicability::Unsafe.name(),
            applied: true,
            edits: vec![RepairLineEdit::of(game, game.offset(), edit)],
            proof,
            candidates: Vec::new(),
        };
        line.serialize(serializer)
    }
}

/// The JSON of a [`FoundRepair`] and of a [`ChangedName`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairLine<'a> {
    /// The path as given, `-` for standard input, or `archive.zip/entry.pdn`.
    pub file: Cow<'a, str>,
    /// The number of the record in the file, from 1.
    pub record: u64,
    /// The offset of the record in the file, in bytes.
    pub offset: u64,
    /// The length of the record in bytes.
    pub length: usize,
    /// The line of the first changed byte, from 1.
    pub line: u64,
    /// The column of the first changed byte in characters, from 1.
    pub column: u64,
    /// The code of the diagnostic that the repair answers; `names` for a change of a name.
    pub code: &'static str,
    /// What is changed, such as `wrong-square` or `name`.
    pub kind: &'static str,
    /// `safe`, `unsafe` or `display`.
    pub applicability: &'static str,
    /// Whether the options choose the repair.
    pub applied: bool,
    /// The changes of the text; those of the likeliest candidate if there are several.
    pub edits: Vec<RepairLineEdit>,
    /// The reason to trust the repair.
    pub proof: RepairLineProof,
    /// All repairs that fit, the likeliest first, if there are several.
    pub candidates: Vec<RepairLineCandidate>,
}

/// A change of the text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairLineEdit {
    /// The offset of the replaced bytes in the file.
    pub at: u64,
    /// The replaced text, empty for an insertion.
    pub old: String,
    /// The new text, empty for a removal.
    pub new: String,
}

impl RepairLineEdit {
    fn of(game: &GameRef<'_>, offset: u64, edit: &TextEdit) -> Self {
        Self {
            at: offset + edit.range.start as u64,
            old: game.decode(&game.raw()[edit.range.clone()]).into_owned(),
            new: game.decode(&edit.new).into_owned(),
        }
    }
}

/// A reason to trust a repair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairLineProof {
    /// `same` if the game keeps its moves, `replayed` if the repair lets it go on.
    pub moves: &'static str,
    /// The proof in words.
    pub text: String,
    /// What the replay shows, if it is the proof.
    #[serde(flatten)]
    pub replay: Option<RepairLineReplay>,
}

/// What a replay shows of a repair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairLineReplay {
    /// Legal plies without the repair. Repairs of other things than illegal moves lack this key and the next three.
    pub plies_before: u32,
    /// Legal plies with it.
    pub plies_after: u32,
    /// Whether the game then replays to its end.
    pub complete: bool,
    /// The number of changes that were tried.
    pub tried: u32,
}

impl RepairLineProof {
    fn of(proof: &Proof) -> Self {
        let text = proof.to_string();
        match *proof {
            Proof::Replays { plies_before, plies_after, complete, tried } => {
                let replay = RepairLineReplay { plies_before, plies_after, complete, tried };
                Self { moves: "replayed", text, replay: Some(replay) }
            }
            _ => Self { moves: "same", text, replay: None },
        }
    }
}

/// A repair that fits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairLineCandidate {
    /// What it changes.
    pub kind: &'static str,
    /// Its changes.
    pub edits: Vec<RepairLineEdit>,
    /// The reason to trust it.
    pub proof: RepairLineProof,
}

/// Numbers of what is changed.
#[derive(Default)]
struct AppliedCounts {
    games: u64,
    repairs: u64,
    names: u64,
}

/// Finds the repairs of a batch, on many threads.
struct FixWork<'a> {
    request: &'a FixRequest,
    options: ReplayOptions,
    stop: Stop,
    names: Option<&'a NameMap>,
    /// Whether repairs are wanted, and not names only.
    repairs: bool,
}

/// What is changed in a game.
struct GameChanges {
    /// The index of the game in the batch.
    index: usize,
    plan: RepairPlan,
    names: ValueEdits,
}

impl BatchWork for FixWork<'_> {
    type Scratch = Fixer;
    /// The changes of each game that has any.
    type Product = Vec<GameChanges>;

    fn scratch(&self) -> Fixer {
        Fixer::new(&self.options)
    }

    fn work(&self, fixer: &mut Fixer, batch: &Batch) -> Self::Product {
        let changes = |(index, game): (usize, GameRef<'_>)| {
            let mut plan = match self.repairs {
                true => fixer.repair(game, |repair| self.request.chooses(repair)),
                false => RepairPlan::default(),
            };
            // A repair and a name may concern one tag: names are looked up as the repairs write them.
            let names = self.names.map_or_else(ValueEdits::default, |names| {
                let repaired = edited(game.raw(), &plan.edits());
                let mut found = name_edits(RecordView::new(&repaired), game.encoding().encoding, names);
                // The plan and the changes are those of this record.
                found.edits = plan.join(game.raw(), &found.edits).unwrap_or_default();
                found
            });
            GameChanges { index, plan, names }
        };
        let is_change = |changes: &GameChanges| {
            !changes.plan.made.is_empty()
                || !changes.plan.left.is_empty()
                || !changes.names.edits.is_empty()
                || !changes.names.refused.is_empty()
        };
        let games = batch.games().enumerate();
        // What is found after a request to stop is not used.
        let games = games.take_while(|_| !self.stop.is_requested());
        games.map(changes).filter(is_change).collect()
    }
}

/// Applies the repairs or passes them on, in the order of the text.
struct FixConsumer<'a> {
    request: &'a FixRequest,
    sink: FixSink<'a>,
    answer: FixAnswer,
    /// What is changed in the current file, which counts when the file is complete.
    in_file: AppliedCounts,
    lines: LineCounter,
    /// Replaces the current file.
    writer: Option<FileWriter>,
    /// The diff of the current file.
    diff: Option<UnifiedDiff<Vec<u8>>>,
    failed: bool,
}

/// Why writing a diff cannot fail.
const IN_MEMORY: &str = "memory takes all bytes";

/// Where the repaired text of an input goes.
enum FileWriter {
    /// It is passed on.
    Passed,
    /// It takes the place of the file.
    File(Box<EditedFile>),
}

impl FileWriter {
    /// Begins to write the input `name`, whose first batch is `first`; `-` is standard input.
    fn begin(name: &Path, first: Option<&Batch>) -> Result<Self> {
        if name == Path::new("-") {
            return Ok(Self::Passed);
        }
        if let Some(reason) = plain_text::refusal(name, first) {
            return Err(AppError::path(ErrorCode::Unwritable, name, reason));
        }
        Ok(Self::File(Box::new(EditedFile::begin(name)?)))
    }
}

impl FixConsumer<'_> {
    /// Returns `true` if the current file is to be written and cannot be.
    fn is_refused(&self) -> bool {
        self.request.write && self.writer.is_none()
    }

    fn fail(&mut self, error: &AppError, context: &mut Context<'_>) {
        self.failed = true;
        context.events.problem(error);
    }

    /// Passes something on.
    fn emit(&mut self, event: FixEvent<'_>) -> Result<()> {
        match (self.sink)(event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(AppError::stopped()),
        }
    }

    /// Counts the repairs of a game, and its changes of names.
    fn count(&mut self, plan: &RepairPlan, names: usize) {
        self.in_file.names += names as u64;
        self.in_file.repairs += plan.made.len() as u64;
        self.in_file.games += u64::from(!plan.made.is_empty());
        for repair in plan.made.iter().chain(&plan.left) {
            *match repair.applicability {
                Applicability::Safe => &mut self.answer.safe,
                Applicability::Unsafe => &mut self.answer.unsafe_repairs,
                Applicability::Display => &mut self.answer.display,
            } += 1;
            self.answer.by_code.entry(repair.code.id()).or_default().add(repair.applicability);
        }
    }
}

impl BatchConsumer<Vec<GameChanges>> for FixConsumer<'_> {
    type Error = AppError;

    fn begin_input(&mut self, name: &Path, first: Option<&Batch>, context: &mut Context<'_>) -> Result<()> {
        self.lines = LineCounter::new();
        self.answer.files += 1;
        if self.request.write {
            match FileWriter::begin(name, first) {
                Ok(writer) => self.writer = Some(writer),
                Err(error) => self.fail(&error, context),
            }
        }
        if self.request.diff {
            self.diff = Some(UnifiedDiff::new(Vec::new(), name));
        }
        Ok(())
    }

    fn batch(
        &mut self,
        batch: &Batch,
        product: Vec<GameChanges>,
        context: &mut Context<'_>,
    ) -> Result<ControlFlow<()>> {
        let mut edits: Vec<(TextEdit, &'static str)> = Vec::new();
        let mut changed = product.into_iter().peekable();
        for (index, game) in batch.games().enumerate() {
            self.answer.games += 1;
            let (bytes, encoding) = (game.raw(), game.encoding().encoding);
            if let Some(changes) = changed.next_if(|changes| changes.index == index) {
                let plan = changes.plan;
                let names = changes.names.edits.as_slice();
                self.count(&plan, names.len());
                let offset = (game.offset() - batch.offset()) as usize;
                let mut passed = (0, self.lines);
                let made = plan.made.iter().map(|repair| (repair, !self.is_refused()));
                let mut repairs: Vec<_> =
                    made.chain(plan.left.iter().map(|repair| (repair, false))).collect();
                repairs.sort_by_key(|(repair, _)| repair.edits.first().map(|edit| edit.range.start));
                for (repair, is_applied) in repairs {
                    let found = FoundRepair {
                        file: batch.name(),
                        record: game.number(),
                        game: &game,
                        offset: game.offset(),
                        start: self.start(&mut passed, bytes, repair, encoding),
                        repair,
                        is_applied,
                        is_selected: self.request.selects(repair.code),
                    };
                    self.emit(FixEvent::Repair(&found))?;
                    if is_applied {
                        let shift = |edit: &TextEdit| {
                            let range = edit.range.start + offset..edit.range.end + offset;
                            (TextEdit::new(range, edit.new.clone()), repair.code.id())
                        };
                        edits.extend(repair.edits.iter().map(shift));
                    }
                }
                self.names(batch.name(), &game, &changes.names, context)?;
                let shift = |edit: &TextEdit| {
                    let range = edit.range.start + offset..edit.range.end + offset;
                    (TextEdit::new(range, edit.new.clone()), NAMES)
                };
                edits.extend(names.iter().map(shift));
            }
            self.lines.pass(bytes, encoding);
        }
        edits.sort_by_key(|(edit, _)| (edit.range.start, edit.range.end));
        if let Some(diff) = &mut self.diff {
            let edits = TextEdits::new(edits.iter().map(|(edit, _)| edit.clone()).collect());
            diff.edited(batch.bytes(), &edits.unwrap_or_default()).expect(IN_MEMORY);
            let text = std::mem::take(diff.get_mut());
            self.emit(FixEvent::Diff(&text))?;
        }
        self.write(batch, edits, context)?;
        Ok(ControlFlow::Continue(()))
    }

    fn end_input(&mut self, _: &Path, context: &mut Context<'_>) -> Result<()> {
        if let Some(diff) = self.diff.take() {
            let text = diff.finish().expect(IN_MEMORY);
            self.emit(FixEvent::Diff(&text))?;
        }
        let mut is_kept = self.is_refused();
        if let Some(FileWriter::File(file)) = self.writer.take() {
            match file.commit() {
                Ok(Some(journal)) => {
                    self.answer.changed += 1;
                    self.answer.journals.push(journal);
                }
                Ok(None) => {}
                Err(error) => {
                    is_kept = true;
                    self.fail(&error.into(), context);
                }
            }
        }
        // What was changed in a file counts unless the file is kept as it was.
        let AppliedCounts { games, repairs, names } = std::mem::take(&mut self.in_file);
        if !is_kept {
            self.answer.repaired += games;
            self.answer.applied += repairs;
            self.answer.names += names;
        }
        Ok(())
    }
}

/// Returns a text with its edits, and the text itself if there are none: a batch may be one very long record.
fn edited<'t>(text: &'t [u8], edits: &TextEdits) -> Cow<'t, [u8]> {
    if edits.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(edits.apply(text)) }
}

impl FixConsumer<'_> {
    /// Writes a batch with its edits, which are relative to its first byte, in text order.
    fn write(
        &mut self,
        batch: &Batch,
        edits: Vec<(TextEdit, &'static str)>,
        context: &mut Context<'_>,
    ) -> Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let (edits, codes): (Vec<_>, Vec<_>) = edits.into_iter().unzip();
        let written = match (TextEdits::new(edits), writer) {
            (Err(error), _) => Err(AppError::path(ErrorCode::Internal, batch.name(), error.to_string())),
            (Ok(edits), FileWriter::Passed) => {
                return self.emit(FixEvent::Text(&edited(batch.bytes(), &edits)));
            }
            (Ok(edits), FileWriter::File(file)) => {
                file.piece(batch.bytes(), &edits, |number| codes[number]).map_err(AppError::from)
            }
        };
        if let Err(error) = written {
            // What was written so far is removed, and the other files are repaired.
            self.writer = None;
            self.fail(&error, context);
        }
        Ok(())
    }

    /// Passes on the changes of names of a game, and says what could not be changed.
    fn names(
        &mut self,
        file: &Path,
        game: &GameRef<'_>,
        found: &ValueEdits,
        context: &mut Context<'_>,
    ) -> Result<()> {
        let lines = self.lines;
        let start = |at: usize| lines.position_after(&game.raw()[..at], game.encoding().encoding);
        for edit in found.edits.as_slice() {
            let changed = ChangedName { file, game, start: start(edit.range.start), edit };
            self.emit(FixEvent::Name(&changed))?;
        }
        let place = format!("{}:{}", file.display(), start(0));
        let refused = found.refused.iter().map(|error| format!("the name stays: {error}"));
        let damage = found.damage.iter().map(|error| format!("the names stay: {error}"));
        for message in refused.chain(damage) {
            self.fail(&AppError::path(ErrorCode::InvalidValue, &place, message), context);
        }
        Ok(())
    }

    /// Returns the line and column of the first byte that a repair changes. `passed` is a place of the record that was counted
    /// before, with its counter: most repairs follow each other in text order.
    fn start(
        &self,
        passed: &mut (usize, LineCounter),
        record: &[u8],
        repair: &Repair,
        encoding: Encoding,
    ) -> LineColumn {
        let at = repair.edits.first().map_or(0, |edit| edit.range.start).min(record.len());
        if at < passed.0 {
            *passed = (0, self.lines);
        }
        passed.1.pass(&record[passed.0..at], encoding);
        passed.0 = at;
        passed.1.position()
    }
}
