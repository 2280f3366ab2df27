//! Tables of positions beside an index, for `pdn index --positions`.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use pdn::Error;
use pdn::index::{Index, KeyTableOptions, KeyTablesBuilt, build_key_tables};

use crate::output::Output;
use crate::stop;

/// Whether the index in a folder has tables, so that it is to go on having them.
pub(crate) fn there(dir: &Path) -> bool {
    Index::open(dir).is_ok_and(|index| {
        // A damaged one counts: it is made anew.
        (0..index.segments().len()).any(|segment| !matches!(index.keys(segment), Ok(None)))
    })
}

/// Makes the tables that are missing.
pub(crate) fn make(dir: &Path, threads: NonZeroUsize, out: &mut Output) -> Result<KeyTablesBuilt, Error> {
    let mut options = KeyTableOptions::default();
    options.threads = threads;
    let mut shown = false;
    let done = build_key_tables(dir, &options, |done, all| {
        if !shown {
            out.progress(Some(all));
            out.say("table of positions");
            shown = true;
        }
        out.at(done);
        if stop::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    out.progress_done();
    done
}
