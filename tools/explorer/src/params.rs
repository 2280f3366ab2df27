//! The parameters of a request: names and values of its query string.

use crate::problem::Problem;

/// Longest query string in bytes.
pub(crate) const MAX_QUERY_BYTES: usize = 8 << 10;

/// Names and values in the order of the query string.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash)]
pub struct Params(Vec<(String, String)>);

impl Params {
    /// Parses a query string. Parameters without a value are left out, as forms send them for empty fields.
    ///
    /// # Errors
    /// If it is longer than 8 KiB.
    pub fn parse(query: &str) -> Result<Self, Problem> {
        if query.len() > MAX_QUERY_BYTES {
            return Err(Problem::new(
                414,
                message!(
                    "long_address",
                    "the parameters are longer than {most} bytes",
                    most = MAX_QUERY_BYTES as u64
                ),
            ));
        }
        let pairs = form_urlencoded::parse(query.as_bytes());
        Ok(Self(pairs.into_owned().filter(|(_, value)| !value.is_empty()).collect()))
    }

    /// Returns the pairs.
    pub fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// Returns the first value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Appends a parameter.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// Returns the value of a parameter as a whole number of at most `max`.
    ///
    /// # Errors
    /// If the value is something else.
    pub fn number(&self, name: &str, max: u64) -> Result<Option<u64>, Problem> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let number = text.parse().ok().filter(|number| *number <= max);
        let problem = || {
            let detail = message!(
                "whole_number_to",
                "expected a whole number from {min} to {max}",
                min = 0_u64,
                max = max
            );
            Problem::parameter(name, detail)
        };
        number.map(Some).ok_or_else(problem)
    }

    /// Refuses parameters that a route does not have, and those given more than once unless `repeated` names them.
    ///
    /// # Errors
    /// The problem names the parameter and lists those of the route.
    pub fn check(&self, known: &[&str], repeated: &[&str]) -> Result<(), Problem> {
        for (place, (name, _)) in self.0.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                let list = if known.is_empty() {
                    "there are none here".to_owned()
                } else {
                    format!("known are {}", known.join(", "))
                };
                let detail = message!("no_parameter", "there is no parameter of this name; {list}");
                return Err(Problem::parameter(name, detail));
            }
            let is_repeated = self.0[..place].iter().any(|(other, _)| other == name);
            if is_repeated && !repeated.contains(&name.as_str()) {
                let detail = message!("repeated_parameter", "this parameter is given more than once");
                return Err(Problem::parameter(name, detail));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_strings_are_decoded_and_empty_values_left_out() {
        let params = Params::parse("white=Harm+Wiersma&q=w%3E2&black=&player=a&player=b").unwrap();
        assert_eq!(params.get("white"), Some("Harm Wiersma"));
        assert_eq!(params.get("q"), Some("w>2"));
        assert_eq!(params.get("black"), None);
        assert_eq!(params.check(&["white", "q", "player"], &["player"]), Ok(()));
    }

    #[test]
    fn unknown_and_repeated_parameters_are_refused_by_name() {
        let unknown = Params::parse("whit=a").unwrap().check(&["white", "black"], &[]).unwrap_err();
        assert_eq!((unknown.status, unknown.parameter.as_deref()), (400, Some("whit")));
        assert!(unknown.detail.contains("white, black"), "{}", unknown.detail);
        let twice = Params::parse("white=a&white=b").unwrap().check(&["white"], &[]).unwrap_err();
        assert_eq!(twice.parameter.as_deref(), Some("white"));
    }

    #[test]
    fn long_query_strings_are_refused() {
        let problem = Params::parse(&"a".repeat(MAX_QUERY_BYTES + 1)).unwrap_err();
        assert_eq!(problem.status, 414);
    }
}
