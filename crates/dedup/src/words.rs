//! Says in words why two games are duplicates.

use std::fmt;

use super::agreement::TagAgreement;
use super::classes::{DuplicateClass, DuplicateEvidence, Forerunner};
use super::positions::PositionForm;
use pdn_names::Likeness;

/// The reason why a game is in a group, in words.
struct Words<'a>(DuplicateClass, &'a DuplicateEvidence);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(class, evidence) = self;
        let [keeper, other] = evidence.plies;
        let plies = |n: u32| if n == 1 { "1 ply".to_owned() } else { format!("{n} plies") };
        match class {
            DuplicateClass::Exact if keeper == 0 => f.write_str("the same record without moves")?,
            DuplicateClass::Exact | DuplicateClass::SameMoves => {
                write!(f, "the same moves ({})", plies(keeper))?
            }
            DuplicateClass::Prefix if keeper == other => {
                write!(f, "the same legal moves ({})", plies(keeper))?;
            }
            DuplicateClass::Prefix if other < keeper => {
                write!(f, "its {} begin the {keeper} of the keeper", plies(other))?;
            }
            DuplicateClass::Prefix => write!(f, "the {} of the keeper begin its {other}", plies(keeper))?,
            DuplicateClass::SamePosition => {
                f.write_str(match evidence.position {
                    Some(PositionForm::Flipped) => "the same position seen from the other side",
                    Some(PositionForm::Mirrored) => "the mirror image of the position",
                    Some(PositionForm::FlippedMirrored) => {
                        "the mirror image of the position seen from the other side"
                    }
                    Some(PositionForm::Same) | None => "the same position",
                })?;
                match (keeper, other) {
                    (0, 0) => {}
                    _ if keeper == other && keeper == evidence.common_plies => {
                        write!(f, " and moves ({})", plies(keeper))?;
                    }
                    _ => write!(f, " ({keeper} and {})", plies(other))?,
                }
            }
            DuplicateClass::ShiftedPosition => {
                f.write_str("the same motif: ")?;
                let form = evidence.shift.map_or(PositionForm::Same, |shift| shift.form);
                f.write_str(match form {
                    PositionForm::Same => "the position",
                    PositionForm::Flipped => "the position seen from the other side",
                    PositionForm::Mirrored => "the mirror image",
                    PositionForm::FlippedMirrored => "the mirror image seen from the other side",
                })?;
                if let Some(shift) = evidence.shift {
                    write!(f, ", {shift}")?;
                }
                if keeper > 0 || other > 0 {
                    write!(f, " ({keeper} and {})", plies(other))?;
                }
            }
            DuplicateClass::Near => write!(
                f,
                "the same players, days and first {}, then other moves ({keeper} and {} in all)",
                plies(evidence.common_plies),
                plies(other)
            )?,
        }
        let damaged = match evidence.damaged {
            [false, false] => None,
            [true, false] => Some("the keeper is"),
            [false, true] => Some("it is"),
            [true, true] => Some("both are"),
        };
        if let Some(who) = damaged.filter(|_| keeper > 0) {
            write!(f, ", as far as {who} not damaged")?;
        }
        let mut differs = Vec::new();
        let players = [("White", evidence.white), ("Black", evidence.black)];
        for (name, names) in players {
            if names.likeness == Likeness::Different {
                differs.push(name);
            }
        }
        for (name, agreement) in [
            ("dates", evidence.date),
            ("rounds", evidence.round),
            ("events", evidence.event),
            ("web addresses", evidence.address),
            ("results", evidence.result),
        ] {
            if matches!(agreement, TagAgreement::Different | TagAgreement::Close) {
                differs.push(name);
            }
        }
        let is_problem = matches!(class, DuplicateClass::SamePosition | DuplicateClass::ShiftedPosition);
        if (keeper > 0 || is_problem) && !differs.is_empty() {
            write!(f, ", other {}", differs.join(", "))?;
        }
        match evidence.forerunner.filter(|_| is_problem) {
            Some(Forerunner::Keeper) => f.write_str("; the keeper is the forerunner by its date")?,
            Some(Forerunner::Other) => f.write_str("; it is the forerunner by its date")?,
            None => {}
        }
        Ok(())
    }
}

impl DuplicateEvidence {
    /// Returns the reason why a game is in a group of this class, in words.
    pub fn in_words(&self, class: DuplicateClass) -> String {
        Words(class, self).to_string()
    }
}
