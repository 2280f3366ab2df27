//! Sheets of diagrams: the positions of all records of archives, several in a row, as pages to print.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::archive::{Batch, GameRef};
use pdn::replay::{GameStatus, Replayer};
use serde::Serialize;

use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::check::caption::Caption;
use crate::check::reporter::annotate;
use crate::check::solve::has_own_start;
use crate::draw::board::DrawOptions;
use crate::draw::board::diagram::Diagram;
use crate::draw::board::sheet::{SheetDiagram, SheetLayout};
use crate::read::inputs::{self, BatchConsumer, BatchWork, Inputs};
use crate::read::paths::serialize_paths;
use crate::write::outputs::{CommittedFiles, OutputFile, Overwriting, unwritable};

/// Asks for sheets of diagrams.
#[derive(Clone, Debug)]
pub struct SheetRequest {
    /// The archives.
    pub inputs: Inputs,
    /// The file: `.html` for all pages in one document, `.svg` for a file for each page.
    pub output: PathBuf,
    /// Files that exist may be replaced.
    pub force: bool,
    /// How diagrams are arranged.
    pub layout: SheetLayout,
    /// The number of plies before the positions that are shown, at most all of a record; `None` for the start positions of problems and
    /// the last positions of games.
    pub ply: Option<usize>,
    /// Only records with a position of their own are shown.
    pub problems_only: bool,
    /// How boards are drawn.
    pub draw: DrawOptions,
}

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SheetAnswer {
    /// Records that were read.
    pub records: u64,
    /// Diagrams that were drawn.
    pub diagrams: u64,
    /// Pages.
    pub pages: u64,
    /// The files, in the order of the pages.
    #[serde(serialize_with = "serialize_paths")]
    pub files: Vec<PathBuf>,
    /// Whether all inputs could be read completely.
    #[serde(skip)]
    pub is_complete: bool,
}

impl SheetRequest {
    /// Draws the sheets. Inputs that cannot be read are problems of the context. Without a diagram, nothing is written.
    ///
    /// # Errors
    ///
    /// If the name of the output says neither HTML nor SVG, a file may not be replaced or cannot be written, or the work was stopped.
    /// New files of earlier pages are removed then.
    pub fn run(&self, context: &mut Context<'_>) -> Result<SheetAnswer> {
        let extension = self.output.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_html = match extension.to_ascii_lowercase().as_str() {
            "html" | "htm" => true,
            "svg" => false,
            _ => {
                let message = "a sheet is a file with the ending .html, for all pages, or .svg, for a file for each page";
                let error = AppError::plain(ErrorCode::InvalidValue, message).in_field("output");
                return Err(error.value(self.output.display().to_string()));
            }
        };
        let overwriting = Overwriting { force: self.force, inputs: &self.inputs.paths };
        overwriting.check(&self.output)?;
        let mut pages = Pages {
            request: self,
            overwriting,
            is_html,
            document: None,
            pending: Vec::new(),
            committed: CommittedFiles::default(),
            answer: SheetAnswer::default(),
        };
        let work = DrawDiagrams(self);
        let is_complete = inputs::process(&self.inputs, None, &work, &mut pages, context);
        let written = is_complete.and_then(|is_complete| {
            pages.finish(context)?;
            Ok(SheetAnswer { is_complete, ..std::mem::take(&mut pages.answer) })
        });
        context.events.settled();
        written.map_err(|error| pages.committed.take_back(error))
    }

    /// Returns the diagram of a record; `None` if it has no position to show.
    fn diagram(&self, replayer: &mut Replayer, game: GameRef<'_>) -> Option<SheetDiagram> {
        let annotated = annotate(replayer, game);
        let summary = &annotated.summary;
        let is_problem = has_own_start(&summary.start_position());
        if matches!(summary.status, GameStatus::Unsupported)
            || !is_problem && (self.problems_only || summary.plies == 0)
        {
            return None;
        }
        let plies = &annotated.main.plies;
        let ply = match self.ply {
            Some(ply) => ply.min(plies.len()),
            None if is_problem => 0,
            None => plies.len(),
        };
        let position = match (plies.get(ply), plies.is_empty()) {
            (Some(next), _) => next.position,
            // Of a record that is too long for a board at each ply, the last position is known all the same.
            (None, true) if !is_problem => summary.last_position(),
            (None, true) => summary.start_position(),
            (None, false) => annotated.main.last,
        };
        let last_move =
            ply.checked_sub(1).and_then(|last| plies.get(last)).map(|ply| (ply.mv.from, ply.mv.to));
        let caption = Caption::of(game);
        Some(SheetDiagram {
            number: 0,
            publication: caption.publication(),
            author: caption.author.unwrap_or_default(),
            diagram: Diagram::of(&position, &DrawOptions { last_move, ..self.draw }),
        })
    }
}

/// Lays out the diagrams of a batch, on many threads.
struct DrawDiagrams<'a>(&'a SheetRequest);

impl BatchWork for DrawDiagrams<'_> {
    type Scratch = Replayer;
    type Product = Vec<SheetDiagram>;

    fn scratch(&self) -> Replayer {
        Replayer::new(&self.0.inputs.read.replay())
    }

    fn work(&self, replayer: &mut Replayer, batch: &Batch) -> Vec<SheetDiagram> {
        batch.games().filter_map(|game| self.0.diagram(replayer, game)).collect()
    }
}

/// Writes pages as soon as they are full.
struct Pages<'a> {
    request: &'a SheetRequest,
    overwriting: Overwriting<'a>,
    is_html: bool,
    /// The document of all pages.
    document: Option<OutputFile>,
    /// The diagrams of the page that is not full yet.
    pending: Vec<SheetDiagram>,
    committed: CommittedFiles,
    answer: SheetAnswer,
}

impl BatchConsumer<Vec<SheetDiagram>> for Pages<'_> {
    type Error = AppError;

    fn batch(
        &mut self,
        batch: &Batch,
        diagrams: Vec<SheetDiagram>,
        context: &mut Context<'_>,
    ) -> Result<ControlFlow<()>> {
        self.answer.records += batch.len() as u64;
        for diagram in diagrams {
            self.answer.diagrams += 1;
            self.pending.push(SheetDiagram { number: self.answer.diagrams, ..diagram });
            if self.pending.len() == self.request.layout.per_page() {
                self.write_page(context)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl Pages<'_> {
    /// Writes the diagrams that are pending as a page.
    fn write_page(&mut self, context: &mut Context<'_>) -> Result<()> {
        context.check()?;
        self.answer.pages += 1;
        let SheetRequest { layout, draw, output, .. } = self.request;
        let page = self.answer.pages;
        let svg = layout.draw(&self.pending, page, !self.is_html || page == 1, draw);
        self.pending.clear();
        if !self.is_html {
            let path = page_path(output, page);
            let mut file = self.create(&path, context)?;
            write(&mut file, &svg)?;
            self.committed.commit(file, false, context)?;
            self.answer.files.push(path);
            return Ok(());
        }
        let mut document = match self.document.take() {
            Some(document) => document,
            None => {
                let mut document = self.create(output, context)?;
                write(&mut document, &html_begin(layout.paper().name()))?;
                document
            }
        };
        write(&mut document, &svg)?;
        self.document = Some(document);
        Ok(())
    }

    fn create(&self, path: &Path, context: &mut Context<'_>) -> Result<OutputFile> {
        let file = OutputFile::create(path, self.overwriting)?;
        file.temporary().into_iter().for_each(|path| context.events.temporary(path));
        Ok(file)
    }

    /// Writes the last page and ends the document.
    fn finish(&mut self, context: &mut Context<'_>) -> Result<()> {
        if !self.pending.is_empty() {
            self.write_page(context)?;
        }
        if let Some(mut document) = self.document.take() {
            write(&mut document, "</body></html>\n")?;
            let path = document.path().to_owned();
            self.committed.commit(document, false, context)?;
            self.answer.files.push(path);
        }
        Ok(())
    }
}

fn write(file: &mut OutputFile, text: &str) -> Result<()> {
    file.write_all(text.as_bytes()).map_err(|error| unwritable(file.path(), &error))
}

/// Returns the name of a page: that of the output for the first one, then `sheet-2.svg` of `sheet.svg`.
fn page_path(output: &Path, page: u64) -> PathBuf {
    if page == 1 {
        return output.to_owned();
    }
    let mut name = output.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{page}"));
    if let Some(extension) = output.extension() {
        name.push(".");
        name.push(extension);
    }
    output.with_file_name(name)
}

/// Returns the beginning of the document. Printed, each picture has a page for itself.
fn html_begin(paper: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Diagrams</title>\n<style>@page {{ size: {paper} portrait; margin: 0 }} \
         body {{ margin: 0 }} body > svg {{ display: block; break-after: page }}</style></head>\n<body>\n"
    )
}
