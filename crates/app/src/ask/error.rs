//! Why a question has no answer.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

use pdn::error::ErrorKind;
use pdn::internal::message::{Argument, Message};
use pdn::span::Span;
#[cfg(feature = "index")]
use pdn_index::query::QueryError;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use serde_json::Value;

/// The result of a question.
pub type Result<T> = std::result::Result<T, AppError>;

/// What kind of error it is. The names are stable: programs compare them, and texts are translated by them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorCode {
    /// The value of a field cannot be read, or is outside its range.
    InvalidValue,
    /// Two fields, or two parts of a query, exclude each other.
    Contradiction,
    /// A needed field is missing.
    Missing,
    /// The squares of the question mean different things in the games that can match.
    AmbiguousSquares,
    /// No game matches, or there is no game or ply of this number.
    NoMatch,
    /// There is no file, folder or index of this name.
    NotFound,
    /// A file or folder cannot be read.
    Unreadable,
    /// A file or folder cannot be written.
    Unwritable,
    /// A file exists already, or is one of the inputs.
    Exists,
    /// An index is damaged, of another version, or not an index.
    BadIndex,
    /// An archive has changed since it was indexed, or its text is gone.
    ArchiveChanged,
    /// The work would take more than it may.
    TooMuch,
    /// The work was stopped before it was done.
    Stopped,
    /// The program is at fault.
    Internal,
}

impl ErrorCode {
    /// Every code.
    pub const ALL: [Self; 14] = [
        Self::InvalidValue,
        Self::Contradiction,
        Self::Missing,
        Self::AmbiguousSquares,
        Self::NoMatch,
        Self::NotFound,
        Self::Unreadable,
        Self::Unwritable,
        Self::Exists,
        Self::BadIndex,
        Self::ArchiveChanged,
        Self::TooMuch,
        Self::Stopped,
        Self::Internal,
    ];

    /// Returns the name in JSON: `invalid_value`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InvalidValue => "invalid_value",
            Self::Contradiction => "contradiction",
            Self::Missing => "missing",
            Self::AmbiguousSquares => "ambiguous_squares",
            Self::NoMatch => "no_match",
            Self::NotFound => "not_found",
            Self::Unreadable => "unreadable",
            Self::Unwritable => "unwritable",
            Self::Exists => "exists",
            Self::BadIndex => "bad_index",
            Self::ArchiveChanged => "archive_changed",
            Self::TooMuch => "too_much",
            Self::Stopped => "stopped",
            Self::Internal => "internal",
        }
    }
}

/// A sentence that says what to do.
///
/// If it begins with a field, each front end puts the field before it, as it is spelt there: `--variant`, `variant` or
/// `variant=`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Help {
    /// The field that is the subject of the sentence.
    pub field: Option<&'static str>,
    /// The sentence, or its predicate.
    pub text: String,
}

/// Why a question has no answer, or only a part of one.
///
/// The message is one line of plain text. It may quote an archive or a user, so control characters must be escaped before it is
/// printed on a terminal.
///
/// One pointer wide; the fields are those of [`ErrorParts`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AppError(Box<ErrorParts>);

/// The fields of an [`AppError`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ErrorParts {
    /// The kind of error.
    pub code: ErrorCode,
    /// The field of the request that is wrong, by its name in Python and HTTP: `min_rating`.
    pub field: Option<&'static str>,
    /// The value of the field, if a part of it is wrong.
    pub value: Option<String>,
    /// The wrong part of the value, in bytes.
    pub span: Option<Span>,
    /// The file or folder concerned. Servers do not show it.
    pub path: Option<PathBuf>,
    /// What is wrong, in one sentence without a full stop, not repeating field and path.
    pub message: String,
    /// The name of the message without its values, for programs that say it in another language. Messages about files, and about
    /// questions that no server answers, have none; a program then goes by the code.
    pub reason: Option<&'static str>,
    /// The values in a message with a reason.
    pub arguments: Vec<(&'static str, Argument)>,
    /// More lines for people.
    pub details: Vec<String>,
    /// What to do.
    pub help: Option<Help>,
}

impl Deref for AppError {
    type Target = ErrorParts;

    fn deref(&self) -> &ErrorParts {
        &self.0
    }
}

impl DerefMut for AppError {
    fn deref_mut(&mut self) -> &mut ErrorParts {
        &mut self.0
    }
}

impl AppError {
    /// Returns the fields.
    pub fn into_parts(self) -> ErrorParts {
        *self.0
    }

    /// Creates an error of this kind.
    pub fn new(code: ErrorCode, message: Message) -> Self {
        let Message { text, reason, arguments } = message;
        let mut error = Self::plain(code, text);
        (error.reason, error.arguments) = (Some(reason), arguments);
        error
    }

    /// Creates an error without a reason: of files, of the program itself, and of questions that no server is asked. A server
    /// says it by its code, and only the codes of faults of the server, such as [`Unreadable`](ErrorCode::Unreadable), may come so.
    pub fn plain(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(Box::new(ErrorParts {
            code,
            field: None,
            value: None,
            span: None,
            path: None,
            message: message.into(),
            reason: None,
            arguments: Vec::new(),
            details: Vec::new(),
            help: None,
        }))
    }

    /// Creates an error in the value of a field.
    pub fn field(name: &'static str, message: Message) -> Self {
        Self::new(ErrorCode::InvalidValue, message).in_field(name)
    }

    /// Creates an error in a part of the value of a field.
    pub fn part(name: &'static str, value: impl Into<String>, span: Span, message: Message) -> Self {
        let mut error = Self::field(name, message).value(value);
        error.span = Some(span);
        error
    }

    /// Creates the error that fields exclude each other.
    pub fn contradiction(message: Message) -> Self {
        Self::new(ErrorCode::Contradiction, message)
    }

    /// Creates an error from that of a query which is the value of a field.
    #[cfg(feature = "index")]
    pub fn query(name: &'static str, value: impl Into<String>, error: &QueryError) -> Self {
        Self::part(name, value, error.span(), error.full_message().clone())
    }

    /// Creates the [plain](Self::plain) error that a file or folder is not what is needed.
    pub fn path(code: ErrorCode, path: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Self::plain(code, message).at(path.into())
    }

    /// Creates the error that the work was stopped.
    pub fn stopped() -> Self {
        Self::plain(ErrorCode::Stopped, "stopped")
    }

    /// Sets what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(Help { field: None, text: text.into() });
        self
    }

    /// Sets what to do with a field, which is the subject of the sentence.
    #[must_use]
    pub fn cured_by(mut self, field: &'static str, predicate: impl Into<String>) -> Self {
        self.help = Some(Help { field: Some(field), text: predicate.into() });
        self
    }

    /// Sets another message, without a reason.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        (self.message, self.reason, self.arguments) = (message.into(), None, Vec::new());
        self
    }

    /// Sets the value of the field, all of which is wrong.
    #[must_use]
    pub fn value(mut self, value: impl Into<String>) -> Self {
        self.value = Some(value.into());
        self
    }

    /// Sets the field that is wrong, unless one is known.
    #[must_use]
    pub fn in_field(mut self, name: &'static str) -> Self {
        self.field.get_or_insert(name);
        self
    }

    /// Sets the path, unless one is known.
    #[must_use]
    pub fn at(mut self, path: impl AsRef<Path>) -> Self {
        self.path.get_or_insert_with(|| path.as_ref().to_owned());
        self
    }
}

/// Removes the numbers of errors of the operating system, such as ` (os error 2)`, which mean nothing to most people.
pub fn without_numbers(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => text += rest,
            _ => text.extend([" (os error ", part]),
        }
    }
    text
}

impl fmt::Display for AppError {
    /// Formats field, path and message on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(field) = self.field {
            write!(f, "{field}: ")?;
        }
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for AppError {}

/// Returns the message of an error of the library, if questions of a server or a damaged index give rise to it.
fn message_of(kind: &ErrorKind) -> Option<Message> {
    Some(match kind {
        ErrorKind::AmbiguousSquares { condition, variants } => {
            let (condition, variants) = (condition.as_str(), variants.as_slice());
            message!("ambiguous_squares", "{kind}", condition = condition, variants = variants)
        }
        ErrorKind::NoSuchSquare { condition, .. } => {
            message!("no_such_square", "{kind}", condition = condition.as_str())
        }
        ErrorKind::NoTables { condition } => message!("no_tables", "{kind}", condition = condition.as_str()),
        ErrorKind::NoSuchPosition { condition, .. } => {
            message!("no_such_position", "{kind}", condition = condition.as_str())
        }
        ErrorKind::ArchiveChanged(_) | ErrorKind::NoText(_) => message!("archive_gone", "{kind}"),
        ErrorKind::NotAnIndex => message!("not_an_index", "{kind}"),
        ErrorKind::IndexVersion { version, newest } => {
            message!("index_version", "{kind}", version = u64::from(*version), newest = u64::from(*newest))
        }
        ErrorKind::IndexDamaged { section, .. } => message!("index_damaged", "{kind}", section = *section),
        ErrorKind::NotStored(_) => message!("not_stored", "{kind}"),
        _ => return None,
    })
}

impl From<pdn::Error> for AppError {
    fn from(error: pdn::Error) -> Self {
        Self::from(&error)
    }
}

impl From<&pdn::Error> for AppError {
    fn from(cause: &pdn::Error) -> Self {
        let code = match cause.kind() {
            ErrorKind::Stopped => return Self::stopped(),
            ErrorKind::AmbiguousSquares { .. } => ErrorCode::AmbiguousSquares,
            ErrorKind::NoSuchSquare { .. }
            | ErrorKind::NoSuchPosition { .. }
            | ErrorKind::NoTables { .. } => ErrorCode::InvalidValue,
            ErrorKind::NotAnIndex
            | ErrorKind::IndexVersion { .. }
            | ErrorKind::IndexDamaged { .. }
            | ErrorKind::NotStored(_) => ErrorCode::BadIndex,
            ErrorKind::ArchiveChanged(_) | ErrorKind::NoText(_) => ErrorCode::ArchiveChanged,
            ErrorKind::FolderInUse(_) | ErrorKind::IndexLocked | ErrorKind::IndexFull(_) => {
                ErrorCode::Unwritable
            }
            _ => ErrorCode::Unreadable,
        };
        let path = cause.path().map(Path::to_owned);
        let field = (code == ErrorCode::AmbiguousSquares).then_some("variant");
        let mut error = match message_of(cause.kind()) {
            Some(message) => Self::new(code, message),
            None => Self::plain(code, cause.kind().to_string()),
        };
        (error.path, error.field) = (path, field);
        match cause.kind() {
            ErrorKind::NotAnIndex => error.help("`pdn index` makes one"),
            ErrorKind::NoText(_) => {
                error.help("`pdn index --embed` stores the text of the games in the index")
            }
            _ => error,
        }
    }
}

/// The keys are `code`, `field`, `at`, `span` (bytes), `message`, `reason`, `arguments`, `details` and `help`; those without a value
/// are left out. The path is left out too.
impl Serialize for AppError {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("AppError", 9)?;
        object.serialize_field("code", self.code.name())?;
        if let Some(field) = self.field {
            object.serialize_field("field", field)?;
        }
        if let Some(span) = self.span {
            object.serialize_field("at", &span.start)?;
            object.serialize_field("span", &span.end.saturating_sub(span.start))?;
        }
        object.serialize_field("message", &self.message)?;
        if let Some(reason) = self.reason {
            object.serialize_field("reason", reason)?;
            object.serialize_field("arguments", &json_of_arguments(&self.arguments))?;
        }
        if !self.details.is_empty() {
            object.serialize_field("details", &self.details)?;
        }
        if let Some(help) = &self.help {
            let text = match help.field {
                Some(field) => format!("`{field}` {}", help.text),
                None => help.text.clone(),
            };
            object.serialize_field("help", &text)?;
        }
        object.end()
    }
}

/// Returns the values of a reason by their names, as JSON.
pub fn json_of_arguments(arguments: &[(&'static str, Argument)]) -> Value {
    let value = |argument: &Argument| -> Value {
        match argument {
            Argument::Text(text) => text.as_str().into(),
            Argument::Number(number) => {
                i64::try_from(*number).map_or_else(|_| number.to_string().into(), Value::from)
            }
            Argument::Choices(choices) => choices.as_slice().into(),
        }
    };
    Value::Object(arguments.iter().map(|(name, argument)| ((*name).to_owned(), value(argument))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_as_json_has_code_field_and_place_but_no_path() {
        let message =
            message!("test", "expected {expected}, found {found}", expected = &["1", "2"][..], found = 3_u64);
        let error = AppError::part("query", "wk >> 1", Span::new(3, 5), message)
            .at("/home/anna/games.idx")
            .cured_by("variant", "chooses one");
        assert_eq!(
            serde_json::to_string(&error).unwrap(),
            concat!(
                r#"{"code":"invalid_value","field":"query","at":3,"span":2,"message":"expected `1` or `2`, found 3","reason":"test","#,
                r#""arguments":{"expected":["1","2"],"found":3},"help":"`variant` chooses one"}"#
            )
        );
        assert_eq!(error.to_string(), "query: /home/anna/games.idx: expected `1` or `2`, found 3");
        let plain = serde_json::to_string(&AppError::plain(ErrorCode::Internal, "a fault")).unwrap();
        assert_eq!(
            plain, r#"{"code":"internal","message":"a fault"}"#,
            "what has no reason has no key for it"
        );
    }

    #[test]
    fn damaged_index_has_a_reason_with_the_damaged_section() {
        let damage = ErrorKind::IndexDamaged { section: "names", problem: "it ends early" };
        let error = AppError::from(pdn::Error::new(damage));
        assert_eq!((error.code, error.reason), (ErrorCode::BadIndex, Some("index_damaged")));
        assert_eq!(error.arguments, [("section", "names".into())]);
        let error = AppError::from(pdn::Error::new(ErrorKind::NoEntry));
        assert_eq!((error.reason, error.message.as_str()), (None, "this zip contains no .pdn file"));
    }

    #[test]
    fn messages_have_no_numbers_of_the_operating_system() {
        for (message, expected) in [
            ("a.pdn: No such file or directory (os error 2)", "a.pdn: No such file or directory"),
            ("a (os error 2): b (os error 13), c", "a: b, c"),
            ("a (os error x) (os error ", "a (os error x) (os error "),
            ("", ""),
        ] {
            assert_eq!(without_numbers(message), expected);
        }
    }

    #[test]
    fn names_of_codes_are_those_of_their_json() {
        for code in [ErrorCode::InvalidValue, ErrorCode::AmbiguousSquares, ErrorCode::Internal] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
        }
    }
}
