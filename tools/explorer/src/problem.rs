//! Errors as clients see them: `application/problem+json` of RFC 9457.

use pdn::internal::message::{Argument, Message};
use pdn_app::ask::error::json_of_arguments;
use pdn_app::{AppError, ErrorCode};
use serde_json::{Map, Value};

/// Why a request was not answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// HTTP status.
    pub status: u16,
    /// What went wrong, in words for people.
    pub detail: String,
    /// The parameter that is wrong, if it is one.
    pub parameter: Option<String>,
    /// First byte and end of the wrong part of the parameter's value.
    pub span: Option<[usize; 2]>,
    /// The kind of error, for programs; see [`ErrorCode`].
    pub code: Option<ErrorCode>,
    /// What programs need to say `detail` in another language.
    pub reason: Box<Reason>,
    /// What to do, in words for people.
    pub help: Option<String>,
    /// Seconds after which a client may try again.
    pub retry_after: Option<u32>,
}

/// The sentence of a problem for programs.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// The name of the sentence without its values.
    pub name: &'static str,
    /// The names of its values with these.
    pub arguments: Vec<(&'static str, Argument)>,
}

impl Problem {
    /// Creates a problem of this status.
    pub fn new(status: u16, detail: Message) -> Self {
        let Message { text: detail, reason: name, arguments } = detail;
        Self {
            status,
            detail,
            parameter: None,
            span: None,
            code: None,
            reason: Box::new(Reason { name, arguments }),
            help: None,
            retry_after: None,
        }
    }

    /// Creates a problem with the value of a parameter: status 400.
    pub fn parameter(name: impl Into<String>, detail: Message) -> Self {
        Self { parameter: Some(name.into()), code: Some(ErrorCode::InvalidValue), ..Self::new(400, detail) }
    }

    /// Creates the problem that something does not exist: status 404.
    pub fn not_found(detail: Message) -> Self {
        Self::new(404, detail)
    }

    /// Creates the problem that the server has no such address: status 404.
    pub(crate) fn no_address() -> Self {
        let help = Some("`/api/v1/` lists what there is".to_owned());
        Self { help, ..Self::not_found(message!("no_address", "there is nothing at this address")) }
    }

    /// Creates the problem that an answer took more work than a request may cost: status 503.
    pub fn out_of_budget() -> Self {
        let detail = message!(
            "too_long",
            "this took longer than a request may take; ask for fewer games, or try again later"
        );
        Self { retry_after: Some(5), ..Self::new(503, detail) }
    }

    /// Creates the problem that the thread of a request has panicked: status 500.
    #[cfg(feature = "server")]
    pub(crate) fn failed() -> Self {
        Self::new(500, message!("internal", "this request failed; the server keeps running"))
    }

    /// Creates the problem that the server ends before it answers: status 503.
    #[cfg(feature = "server")]
    pub(crate) fn stopping() -> Self {
        Self::new(503, message!("stopping", "the server stops"))
    }

    /// Returns the body of the response.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        let title = match self.status {
            400 => "Invalid request",
            401 => "Not allowed",
            404 => "Not found",
            405 => "Method not allowed",
            410 => "The archive is gone",
            408 => "The request took too long to arrive",
            413 => "The request is too large",
            414 => "The address is too long",
            421 => "This server has another name",
            422 => "Nothing was stored",
            431 => "The header is too large",
            503 => "Too much work",
            _ => "The server failed",
        };
        object.insert("title".into(), title.into());
        object.insert("status".into(), self.status.into());
        object.insert("detail".into(), self.detail.clone().into());
        if let Some(code) = self.code {
            object.insert("code".into(), code.name().into());
        }
        object.insert("reason".into(), self.reason.name.into());
        object.insert("arguments".into(), json_of_arguments(&self.reason.arguments));
        if let Some(parameter) = &self.parameter {
            object.insert("parameter".into(), parameter.clone().into());
        }
        if let Some([start, end]) = self.span {
            object.insert("at".into(), start.into());
            object.insert("span".into(), end.saturating_sub(start).into());
        }
        if let Some(help) = &self.help {
            object.insert("help".into(), help.clone().into());
        }
        Value::Object(object)
    }
}

/// Returns the status of an error of this kind, which may be in a parameter.
pub(crate) fn status_of(code: ErrorCode, is_of_parameter: bool) -> u16 {
    match code {
        ErrorCode::InvalidValue
        | ErrorCode::Contradiction
        | ErrorCode::Missing
        | ErrorCode::AmbiguousSquares
        | ErrorCode::TooMuch => 400,
        ErrorCode::NoMatch | ErrorCode::NotFound => {
            if is_of_parameter {
                400
            } else {
                404
            }
        }
        ErrorCode::ArchiveChanged => 410,
        ErrorCode::Stopped => 503,
        _ => 500,
    }
}

/// The status follows from the kind of error. Paths of the server are left out. The reason of an error that has none, a fault of the
/// server, is its code.
impl From<AppError> for Problem {
    fn from(error: AppError) -> Self {
        if error.code == ErrorCode::Stopped {
            return Self::out_of_budget();
        }
        let status = status_of(error.code, error.field.is_some());
        debug_assert!(
            error.reason.is_some() || status >= 500,
            "what a client can cause has a reason: {error}"
        );
        let error = error.into_parts();
        let details = error.details.iter().map(|line| format!("; {line}")).collect::<String>();
        let help = error.help.map(|help| match help.field {
            Some(field) => format!("`{field}` {}", help.text),
            None => help.text,
        });
        Self {
            parameter: error.field.map(str::to_owned),
            span: error.span.map(|span| [span.start as usize, span.end as usize]),
            code: Some(error.code),
            help,
            retry_after: None,
            status,
            detail: error.message + &details,
            reason: Box::new(Reason {
                name: error.reason.unwrap_or(error.code.name()),
                arguments: error.arguments,
            }),
        }
    }
}

impl From<pdn::Error> for Problem {
    fn from(error: pdn::Error) -> Self {
        AppError::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_of_the_server_has_its_code_as_its_reason() {
        let error = AppError::path(ErrorCode::Unreadable, "/home/anna/games.pdn", "cannot be read");
        let problem = Problem::from(error).json();
        assert_eq!((&problem["status"], &problem["reason"]), (&500.into(), &"unreadable".into()));
        assert!(!problem.to_string().contains("anna"), "{problem}");
    }

    #[cfg(debug_assertions)]
    #[test]
    #[should_panic(expected = "what a client can cause has a reason")]
    fn error_that_a_client_causes_is_not_taken_without_a_reason() {
        let _ = Problem::from(AppError::plain(ErrorCode::InvalidValue, "expected a number"));
    }
}
