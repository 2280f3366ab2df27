//! `pdn serve`: shows archives in the browser.

#[cfg(feature = "serve")]
mod request;
#[cfg(feature = "serve")]
mod archive;
#[cfg(feature = "serve")]
mod position;
#[cfg(feature = "serve")]
mod overview;
#[cfg(feature = "serve")]
mod check;
#[cfg(feature = "serve")]
mod answers;
#[cfg(feature = "serve")]
mod start;

#[cfg(feature = "serve")]
pub(crate) use start::run;

/// Says how to get a program with a server.
#[cfg(not(feature = "serve"))]
pub(crate) fn run(
    _: &crate::args::ServeArgs,
    _: &mut crate::output::Output,
) -> std::io::Result<crate::output::Exit> {
    crate::output::exit::print_error(
        "this program was built without the server; the released programs have it, and `cargo install pdn-cli --features \
         serve` builds one",
    );
    Ok(crate::output::Exit::Failure)
}
