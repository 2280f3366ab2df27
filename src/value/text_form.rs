//! Serialises values as their text (feature `serde`): what `Display` writes and `FromStr` parses.

use pdn_rules::serde_as_text;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::{ClockTime, Date, GameResult, Nag, Outcome, Round, TimeControl, TimeOfDay};

serde_as_text!(ClockTime, Date, Nag, Outcome, Round, TimeOfDay);

/// Values that borrow their text deserialise from a borrowed string only: one without escapes, in a format that keeps
/// it.
impl<'de: 'a, 'a> Deserialize<'de> for GameResult<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&str>::deserialize(deserializer).map(|text| Self::parse(text.as_bytes()))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for TimeControl<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        Self::parse(text.as_bytes()).map_err(D::Error::custom)
    }
}

impl Serialize for GameResult<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // `Display` writes `*`, which would come back as an unfinished game.
            Self::Unknown => serializer.serialize_str("?"),
            result => serializer.collect_str(result),
        }
    }
}

impl Serialize for TimeControl<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::diag::{Code, Diagnostic, Severity};
    use crate::limits::Limits;
    use crate::span::Span;
    use crate::value::{
        Clocks, Colour, CommandValue, Fen, FenSquare, GameType, MoveStrength, Rating, ResultFormat, TagName,
    };

    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), value, "{json}");
    }

    #[test]
    fn serde_round_trips_values_as_text() {
        check("2007.05.??".parse::<Date>().unwrap(), "\"2007.05.??\"");
        check("25,W,8,8,A0,0".parse::<GameType>().unwrap(), "\"25,W,8,8,A0,0\"");
        check("1:55:21.5".parse::<ClockTime>().unwrap(), "\"1:55:21.5\"");
        check("09:05:00".parse::<TimeOfDay>().unwrap(), "\"09:05:00\"");
        check("4.1".parse::<Round>().unwrap(), "\"4.1\"");
        check("$7".parse::<Nag>().unwrap(), "\"$7\"");
        check(Outcome::BothLose, "\"both-lose\"");
        check(ResultFormat::PlusDraw, "\"Plus draw\"");
        check(Colour::Black, "\"Black\"");
        check(Severity::Warning, "\"warning\"");
        check(Code::IllegalMove, "\"R001\"");
        check(TagName::WhiteRating, "\"WhiteRating\"");
        check(MoveStrength::VeryGood, "\"very_good\"");
        for code in Code::ALL {
            check(*code, &format!("\"{code}\""));
        }
    }

    #[test]
    fn serde_round_trips_structures() {
        check(Span::new(1, 5), r#"{"start":1,"end":5}"#);
        check(Limits::new().diagnostics(3).capture_nodes(4), &{
            let Limits { record_bytes, comment_bytes, variation_depth, .. } = Limits::DEFAULT;
            format!(
                "{{\"record_bytes\":{record_bytes},\"comment_bytes\":{comment_bytes},\
                 \"variation_depth\":{variation_depth},\"diagnostics\":3,\"capture_nodes\":4}}"
            )
        });
        check(
            Diagnostic::new(Code::StrayBrace, Span::new(7, 8)),
            r#"{"code":"L004","severity":"warning","span":{"start":7,"end":8},"related":null}"#,
        );
        check(Rating { value: 1500, provisional: true }, r#"{"value":1500,"provisional":true}"#);
        check(FenSquare::Number(32), r#"{"number":32}"#);
        check(
            CommandValue::Remaining(Clocks::parse(b"1:00:00").unwrap()),
            r#"{"remaining":{"first":{"side":null,"running":false,"time":"1:00:00"},"second":null}}"#,
        );
    }

    #[test]
    fn serde_round_trips_borrowed_values() {
        for text in ["1-0", "1 1/2 - 1/2", "*", "?", "White wins"] {
            let result = GameResult::parse(text.as_bytes());
            let json = serde_json::to_string(&result).unwrap();
            assert_eq!(
                (&json[..], serde_json::from_str(&json).unwrap()),
                (&format!("\"{text}\"")[..], result)
            );
        }
        let fen = "\"W:W31-50:B1-20\"";
        assert_eq!(serde_json::from_str::<Fen<'_>>(fen).unwrap().len(), 40);
        let control: TimeControl<'_> = serde_json::from_str("\"40/7200:3600\"").unwrap();
        assert_eq!(serde_json::to_string(&control).unwrap(), "\"40/7200:3600\"");
    }

    #[test]
    fn serde_rejects_malformed_text() {
        let error = serde_json::from_str::<Date>("\"2007.13.01\"").unwrap_err().to_string();
        assert!(error.starts_with("found 13 as the month"), "{error}");
        assert!(serde_json::from_str::<Code>("\"X999\"").is_err());
        assert!(serde_json::from_str::<Fen<'_>>("\"W\"").is_err());
    }
}
