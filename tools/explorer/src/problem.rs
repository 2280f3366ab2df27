//! Errors as clients see them: `application/problem+json` of RFC 9457.

use pdn::message;
use pdn::message::{Argument, Message};
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
    pub reason: Option<Box<Reason>>,
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

impl Reason {
    /// Returns the reason of a message that has one.
    fn of(name: Option<&'static str>, arguments: Vec<(&'static str, Argument)>) -> Option<Box<Self>> {
        name.map(|name| Box::new(Self { name, arguments }))
    }
}

impl Problem {
    /// Creates a problem of this status.
    pub fn new(status: u16, detail: impl Into<Message>) -> Self {
        let Message { text: detail, reason, arguments } = detail.into();
        Self {
            status,
            detail,
            parameter: None,
            span: None,
            code: None,
            reason: Reason::of(reason, arguments),
            help: None,
            retry_after: None,
        }
    }

    /// Creates a problem with the value of a parameter: status 400.
    pub fn parameter(name: impl Into<String>, detail: impl Into<Message>) -> Self {
        Self { parameter: Some(name.into()), code: Some(ErrorCode::InvalidValue), ..Self::new(400, detail) }
    }

    /// Creates the problem that something does not exist: status 404.
    pub fn not_found(detail: impl Into<Message>) -> Self {
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
        if let Some(reason) = &self.reason {
            object.insert("reason".into(), reason.name.into());
            let values = reason.arguments.iter().map(|(name, value)| ((*name).to_owned(), json_of(value)));
            object.insert("arguments".into(), Value::Object(values.collect()));
        }
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

/// Returns an argument as JSON.
fn json_of(argument: &Argument) -> Value {
    match argument {
        Argument::Text(text) => text.as_str().into(),
        Argument::Number(number) => {
            i64::try_from(*number).map_or_else(|_| number.to_string().into(), Value::from)
        }
        Argument::Choices(choices) => choices.as_slice().into(),
    }
}

/// The status follows from the kind of error. Paths of the server are left out.
impl From<AppError> for Problem {
    fn from(error: AppError) -> Self {
        let status = match error.code {
            ErrorCode::Stopped => return Self::out_of_budget(),
            ErrorCode::InvalidValue
            | ErrorCode::Contradiction
            | ErrorCode::Missing
            | ErrorCode::AmbiguousSquares
            | ErrorCode::TooMuch => 400,
            ErrorCode::NoMatch | ErrorCode::NotFound if error.field.is_none() => 404,
            ErrorCode::NoMatch | ErrorCode::NotFound => 400,
            ErrorCode::ArchiveChanged => 410,
            _ => 500,
        };
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
            reason: Reason::of(error.reason, error.arguments),
            ..Self::new(status, error.message + &details)
        }
    }
}

impl From<pdn::Error> for Problem {
    fn from(error: pdn::Error) -> Self {
        AppError::from(error).into()
    }
}
