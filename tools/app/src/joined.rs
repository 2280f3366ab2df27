//! Writes groups of joined records one after the other.

use pdn::split::{JoinChanges, JoinedRecords};

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
