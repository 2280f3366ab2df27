//! Nothing: the tests of this package are all it has.
