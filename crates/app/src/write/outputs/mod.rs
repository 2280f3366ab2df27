//! Files and folders that a question writes: none is ever seen half-written, and a good file is not lost.

mod overwriting;
mod output_file;
mod new_folder;

pub use new_folder::{NewFolder, empty_target};
pub use output_file::{
    CommittedFiles, NewFiles, OutputFile, is_same_file, unwritable, without_path, write_file,
};
pub use overwriting::Overwriting;
