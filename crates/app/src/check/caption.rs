//! What stands under a diagram: who made a problem, where it was published, and when.

use pdn::archive::GameRef;
use pdn::value::TagName;
use pdn_dedup::is_known_value;
use serde::Serialize;

/// Names of tags for the composer, the first known one of which counts.
const AUTHORS: [&str; 2] = ["Author", "Composer"];
/// The same for the publication.
const SOURCES: [&str; 2] = ["Publication", "Source"];
/// The same for its date. The second one stands in collections of a large web site.
const DATES: [&str; 2] = ["PublicationDate", "PubicationDate"];

/// Who made a problem, where it was published, and when; of a game, who played it.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn::source::OpenOptions;
/// use pdn_app::check::caption::Caption;
///
/// let text = &b"[White \"Blankenaar, M.\"] [Event \"De Damwereld\"] [Date \"1911.??.??\"] *\n"[..];
/// let game = Archive::from_reader(text, "one problem", &OpenOptions::new())?.games().next().unwrap()?;
/// let caption = Caption::of(game.as_ref());
/// assert_eq!(caption.author.as_deref(), Some("Blankenaar, M."));
/// assert_eq!((caption.source.as_deref(), caption.date.as_deref()), (Some("De Damwereld"), Some("1911")));
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Caption {
    /// The composer: of the tags `Author` and `Composer`, or the only known player. The players, if both are known.
    pub author: Option<String>,
    /// The publication: of the tags `Publication` and `Source`, or event and site.
    pub source: Option<String>,
    /// The date of the publication or of the game, without its unknown parts.
    pub date: Option<String>,
}

impl Caption {
    /// Reads the caption of a record from its tags.
    pub fn of(game: GameRef<'_>) -> Self {
        let known = |value: Option<String>| value.filter(|text| is_known_value(text.as_bytes()));
        let first_of = |names: &[&str]| names.iter().find_map(|&name| known(game.text(name)));
        let of = |tag: TagName| known(game.text(tag));
        let joined = |one: Option<String>, other: Option<String>, between: &str| match (one, other) {
            (Some(one), Some(other)) if one != other => Some(one + between + &other),
            (one, other) => one.or(other),
        };
        let author = first_of(&AUTHORS).or_else(|| joined(of(TagName::White), of(TagName::Black), " - "));
        let source = first_of(&SOURCES).or_else(|| joined(of(TagName::Event), of(TagName::Site), ", "));
        let date = first_of(&DATES).or_else(|| of(TagName::Date)).map(|date| short_date(&date));
        Self { author, source, date: date.filter(|date| !date.is_empty()) }
    }

    /// Returns source and date as one text; empty if neither is known.
    pub fn publication(&self) -> String {
        let parts = [self.source.as_deref(), self.date.as_deref()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Returns a date without the parts that are not known: `1911` for `1911.??.??`.
fn short_date(date: &str) -> String {
    date.split('.').take_while(|part| !part.contains('?')).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::archive::Archive;
    use pdn::source::OpenOptions;

    #[test]
    fn captions_take_the_tags_that_say_most() {
        let rows: [(&str, [Option<&str>; 3]); 5] = [
            ("[Event \"?\"] [White \"\"] [Date \"????.??.??\"] *", [None; 3]),
            (
                "[White \"?\"] [Author \"Ames &amp; Bell\"] [Publication \"Club\"] [PublicationDate \"2016.06.18\"] *",
                [Some("Ames & Bell"), Some("Club"), Some("2016.06.18")],
            ),
            (
                "[White \"Ames\"] [Black \"Bell\"] [Event \"Final\"] [Site \"Here\"] *",
                [Some("Ames - Bell"), Some("Final, Here"), None],
            ),
            ("[White \"?\"] [Black \"Bell\"] [Date \"1987.05.??\"] *", [Some("Bell"), None, Some("1987.05")]),
            ("[Event \"Final\"] [Site \"Final\"] [Date \"1987\"] *", [None, Some("Final"), Some("1987")]),
        ];
        for (text, expected) in rows {
            let archive = Archive::from_reader(text.as_bytes(), "test", &OpenOptions::new()).unwrap();
            let game = archive.games().next().unwrap().unwrap();
            let caption = Caption::of(game.as_ref());
            let found = [&caption.author, &caption.source, &caption.date].map(Option::as_deref);
            assert_eq!(found, expected, "{text}");
        }
    }
}
