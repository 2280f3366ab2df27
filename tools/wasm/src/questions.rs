//! Questions by name.

use pdn::rules::Variant;
use pdn_app::{AppError, ErrorCode, Result};
use serde_json::json;

use crate::answer::Answer;
use crate::{fields, positions, texts, writing};

/// Answers a question about a text.
///
/// ```
/// let text = b"[GameType \"20\"]\n1. 32-28 28-23 *\n".to_vec();
/// let answer = pdn_wasm::answer(br#"{"question":"check"}"#, text)?;
/// let answer = String::from_utf8_lossy(&answer.json).into_owned();
/// assert!(answer.starts_with("{\"diagnostics\":[{\"record\":1,\"offset\":0,\"length\":"), "{answer}");
/// assert!(answer.contains("\"line\":2,\"column\":10,\"at\":25,\"span\":5,\"code\":\"R001\""), "{answer}");
///
/// let error = pdn_wasm::answer(br#"{"question":"check","varient":"russian"}"#, Vec::new()).unwrap_err();
/// assert_eq!(error.message, "there is no option `varient`");
/// # Ok::<(), pdn_app::AppError>(())
/// ```
///
/// # Errors
///
/// If there is no such question, an option is wrong, or the text cannot be read.
pub fn answer(question: &[u8], text: Vec<u8>) -> Result<Answer> {
    let mut fields = fields::read(question)?;
    match fields::needed(&mut fields, "question")?.as_str() {
        "check" => writing::check(fields, text),
        "fix" => writing::fix(fields, text),
        "review" => writing::review(fields, text),
        "convert" => writing::convert(fields, text),
        "open" => texts::open(fields, text),
        "games" => texts::games(fields),
        "text" => texts::text(fields),
        "replay" => texts::replay(fields),
        "close" => texts::close(fields),
        #[cfg(feature = "search")]
        "find" => crate::search::find(fields, text),
        #[cfg(feature = "search")]
        "tree" => crate::search::tree(fields, text),
        "position" => positions::position(fields),
        "board" => positions::board(fields),
        "variants" => {
            fields.end()?;
            let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
            Answer::new(&json!({ "variants": names }), Vec::new())
        }
        other => Err(AppError::plain(ErrorCode::InvalidValue, format!("there is no question `{other}`"))
            .in_field("question")),
    }
}
