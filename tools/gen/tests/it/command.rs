//! Tests of the command `pdn-gen`.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pdn-gen")).args(arguments).output().expect("the command starts")
}

#[test]
fn archive_is_written_to_standard_output_or_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let (file, manifest) = (path("a.pdn"), path("a.json"));
    let options = [
        "--games",
        "70",
        "--variant",
        "english,frisian",
        "--comments",
        "20%",
        "--damage",
        "0.1",
        "--dialect",
        "mixed",
    ];
    let printed = run(&options);
    assert!(printed.status.success(), "{printed:?}");
    let saved = run(&[&options[..], &["--threads", "2", "-o", &file, "--manifest", &manifest]].concat());
    assert!(saved.status.success() && saved.stdout.is_empty(), "{saved:?}");
    assert!(std::fs::read(&file).unwrap() == printed.stdout);
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    assert_eq!(json["variants"]["english"]["games"], 60);
    assert_eq!(json["variants"]["frisian"]["games"], 10);
    assert_eq!(json["bytes"], printed.stdout.len());
    let sized = run(&["--size", "100kB"]);
    assert!((100_000..105_000).contains(&sized.stdout.len()));
}

#[test]
fn files_that_exist_are_replaced_only_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let (file, other) = (path("a.pdn"), path("b.pdn"));
    std::fs::write(&file, "my games").unwrap();
    for options in [["-o", &file, "--manifest", &other], ["-o", &other, "--manifest", &file]] {
        let _ = std::fs::remove_file(&other);
        let arguments = [&["--games", "2"][..], &options].concat();
        let refused = run(&arguments);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(
            String::from_utf8_lossy(&refused.stderr).contains("a.pdn exists; --force replaces it"),
            "{refused:?}"
        );
        assert_eq!(std::fs::read(&file).unwrap(), b"my games");
    }
    let forced = run(&["--games", "2", "-o", &file, "--force"]);
    assert!(forced.status.success(), "{forced:?}");
    assert_eq!(std::fs::read(&file).unwrap(), run(&["--games", "2"]).stdout);
}

#[test]
fn invalid_options_are_refused() {
    for arguments in [
        &[][..],
        &["--games", "1", "--size", "1kB"],
        &["--games", "1", "--variant", "chess"],
        &["--games", "1", "--comments", "2"],
        &["--size", "large"],
        &["--games", "1", "-o", "/no/such/folder/a.pdn"],
    ] {
        let refused = run(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(!refused.stderr.is_empty(), "{arguments:?}");
    }
}

/// The commands stand in `corpora/README.md` only.
#[test]
fn sample_archive_is_what_its_commands_make() {
    let corpora = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
    let page = std::fs::read_to_string(corpora.join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut made = Vec::new();
    for line in page.lines() {
        let Some(command) = line.strip_prefix("pdn-gen ") else { continue };
        let (options, name) = command.split_once(" -o ").expect("a file");
        let path = folder.path().join(name);
        let arguments: Vec<&str> = options.split(' ').chain(["-o", path.to_str().unwrap()]).collect();
        let output = run(&arguments);
        assert!(output.status.success(), "{output:?}");
        let stored = std::fs::read(corpora.join("sample").join(name)).unwrap();
        assert!(std::fs::read(&path).unwrap() == stored, "`{line}` makes another file");
        made.push(name);
    }
    let files = std::fs::read_dir(corpora.join("sample")).unwrap().map(|file| file.unwrap().file_name());
    let mut archives: Vec<_> =
        files.map(|name| name.into_string().unwrap()).filter(|name| name.ends_with(".pdn")).collect();
    archives.sort_unstable();
    made.sort_unstable();
    assert_eq!(made, archives);
}
