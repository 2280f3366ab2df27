//! Benchmarks only; one file for each stage.
