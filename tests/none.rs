//! Tests only; see `it`.
