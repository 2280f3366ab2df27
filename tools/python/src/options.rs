//! Arguments of Python as options of a question.

use pdn_app::ErrorCode;
use pdn_app::ask::filter::Filter;
use pdn_app::ask::options::{Given, GivenOptions, OptionValue, Options};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt};

use crate::errors::{argument, from_app, option};

/// Returns the arguments as options; those that are None are not given.
pub(crate) fn given(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<GivenOptions> {
    let mut given = GivenOptions::default();
    for (name, value) in arguments.into_iter().flatten() {
        let name: String = name.extract()?;
        if !value.is_none() {
            given.push(option(&name), of(&value));
        }
    }
    Ok(given)
}

/// Returns a value of Python as that of an option.
fn of(value: &Bound<'_, PyAny>) -> Given {
    if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
        return value.extract().map_or_else(|_| Given::Written(value.to_string()), Given::Number);
    }
    let words = || value.try_iter()?.map(|word| word?.extract()).collect::<PyResult<_>>();
    let switch = value.extract().map(Given::Switch);
    let text =
        switch.or_else(|_| value.extract().map(Given::Text)).or_else(|_| value.extract().map(Given::Path));
    let number = || value.extract().map(Given::Number).or_else(|_| value.extract().map(Given::OtherNumber));
    text.or_else(|_| number()).or_else(|_| words().map(Given::List)).unwrap_or(Given::Other)
}

/// Reads options.
///
/// # Errors
///
/// A `TypeError` if a value is of another type than its option, otherwise a `pdn.Error`.
pub(crate) fn read<T>(
    py: Python<'_>,
    given: &mut GivenOptions,
    read: impl FnOnce(&mut GivenOptions) -> pdn_app::Result<T>,
) -> PyResult<T> {
    read(given).map_err(|failed| match (failed.code, failed.field, &failed.value) {
        (ErrorCode::InvalidValue, Some(field), None) => {
            PyTypeError::new_err(format!("{}: {}", argument(field), failed.message))
        }
        _ => from_app(py, &failed),
    })
}

/// Reads all the options that are left, and refuses others.
pub(crate) fn read_all<T>(
    py: Python<'_>,
    mut given: GivenOptions,
    question: impl FnOnce(&mut GivenOptions) -> pdn_app::Result<T>,
) -> PyResult<T> {
    let question = read(py, &mut given, question)?;
    end(py, given)?;
    Ok(question)
}

/// Takes those options of a group that have these names.
pub(crate) fn some<T: Options>(given: &mut GivenOptions, names: &[&'static str]) -> pdn_app::Result<T> {
    let mut some = GivenOptions::default();
    for &name in names {
        if let Some(value) = given.take(name) {
            some.push(name, value);
        }
    }
    some.group()
}

/// Ends the reading: other options are a `TypeError`.
pub(crate) fn end(py: Python<'_>, given: GivenOptions) -> PyResult<()> {
    given.end().map_err(|failed| match failed.field {
        None => PyTypeError::new_err(failed.message.clone()),
        Some(_) => from_app(py, &failed),
    })
}

/// Takes an option that is in no group.
pub(crate) fn take<T: OptionValue>(
    py: Python<'_>,
    given: &mut GivenOptions,
    name: &'static str,
) -> PyResult<Option<T>> {
    read(py, given, |given| given.value(name))
}

/// Takes the query of the argument `where`.
pub(crate) fn filter(given: &mut GivenOptions) -> pdn_app::Result<Filter> {
    let mut filter = Filter::default();
    if let Some(query) = given.value::<String>("where")? {
        filter.set("query", &query)?;
    }
    Ok(filter)
}
