//! `pdn serve`: shows archives in the browser; `pdn export-site`: writes the same page with an index as files.

#[cfg(feature = "serve")]
mod site;
#[cfg(feature = "serve")]
mod start;

#[cfg(feature = "serve")]
pub(crate) use site::run as export_site;
#[cfg(feature = "serve")]
pub(crate) use start::run;

/// Says how to get a program with a server.
#[cfg(not(feature = "serve"))]
pub(crate) fn run(_: &crate::args::ServeArgs, _: &mut crate::output::Output) -> crate::output::CommandResult {
    say_how_to_get_it()
}

/// Says how to get a program with the page of the server.
#[cfg(not(feature = "serve"))]
pub(crate) fn export_site(
    _: &crate::args::ExportSiteArgs,
    _: &mut crate::output::Output,
) -> crate::output::CommandResult {
    say_how_to_get_it()
}

#[cfg(not(feature = "serve"))]
fn say_how_to_get_it() -> crate::output::CommandResult {
    let message = "this program was built without the server";
    let error = pdn_app::AppError::plain(pdn_app::ErrorCode::NotFound, message);
    let help = "the released programs have it, and `cargo install pdn-cli --features serve` builds one";
    Err(error.help(help).into())
}
