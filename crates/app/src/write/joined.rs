//! Writes groups of joined records one after the other.

use pdn::internal::split::{JoinChanges, JoinedRecords};

/// What has been written of records that are joined group by group, so that each of them is read back as one record.
#[derive(Debug, Default)]
pub struct JoinedOutput {
    /// How the last group ends; its text is not kept.
    before: Option<JoinedRecords>,
    /// What was added to the records so far.
    pub changes: JoinChanges,
}

impl JoinedOutput {
    /// Passes the text of a group to `write`, after what has to stand between it and the group before.
    pub fn push<E>(
        &mut self,
        mut joined: JoinedRecords,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.changes.add(&joined.changes);
        if joined.records == 0 {
            return Ok(());
        }
        let lead = joined.lead(self.before.as_ref(), &mut self.changes);
        write(lead)?;
        write(&joined.text)?;
        joined.text = Vec::new();
        self.before = Some(joined);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use pdn::internal::split::RecordJoiner;

    use super::*;

    #[test]
    fn groups_without_records_separate_nothing() {
        let write = |groups: &[&[&str]]| {
            let (mut output, mut text) = (JoinedOutput::default(), Vec::new());
            for records in groups {
                let mut joiner = RecordJoiner::new();
                records.iter().for_each(|record| joiner.push(record.as_bytes()));
                let push = |part: &[u8]| {
                    text.extend_from_slice(part);
                    Ok::<_, ()>(())
                };
                output.push(joiner.finish(), push).unwrap();
            }
            (String::from_utf8(text).unwrap(), format!("{:?}", output.changes))
        };
        let (first, second) = ("[White \"a\"]\n1. 32-28", "{a remark} 1. 31-27 *");
        let whole = write(&[&[first, second]]);
        assert_eq!(write(&[&[first], &[second]]), whole);
        assert_eq!(write(&[&[], &[first], &[], &[second], &[]]), whole);
    }
}
