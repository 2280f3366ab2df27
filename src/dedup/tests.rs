//! Tests of finding duplicates.
