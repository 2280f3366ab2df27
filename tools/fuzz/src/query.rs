//! Properties of queries as text.

use pdn_index::query::Query;

/// A query is parsed or refused at a place in its text; a parsed query is printed and parsed as the same query.
pub fn query(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Query::parse(&text) {
        Ok(query) => {
            let written = query.to_string();
            let again =
                Query::parse(&written).unwrap_or_else(|error| panic!("{written:?} of {text:?}: {error}"));
            assert_eq!(again, query, "{written:?} of {text:?}");
            assert_eq!(again.to_string(), written, "of {text:?}");
        }
        Err(error) => {
            let place = error.span().range();
            assert!(text.get(place.clone()).is_some(), "{error} at {place:?} of {text:?}");
            assert!(!error.to_string().is_empty());
        }
    }
}
