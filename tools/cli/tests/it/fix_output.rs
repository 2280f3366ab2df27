//! What `pdn fix` prints to standard output.

use crate::common::run_with;

#[test]
fn repairs_and_repaired_text_do_not_share_standard_output() {
    let text = b"[Date \"2003-5-1\"]\n\n1. 32-28 19-23 *\n";
    let run = run_with(&["fix", "--json", "--write", "-"], text);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert_eq!(run.err, "pdn: --json: the repairs and the repaired text cannot both go to standard output\n");
    let run = run_with(&["fix", "--write", "-"], text);
    assert_eq!((run.code, run.out.as_str()), (0, "[Date \"2003.05.01\"]\n\n1. 32-28 19-23 *\n"));
}
