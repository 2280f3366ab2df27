//! Checking allocates nothing once the checker has seen the largest game.

use allocation_counter::measure;
use pdn::check::{Checker, Options};
use pdn::split;

#[test]
fn a_checker_keeps_its_memory() {
    let sound = "[Event \"x\"]\n[Date \"2024.03.09\"]\n[White \"Ренé\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\
                 [FEN \"W:W31-50:B1-20\"]\n[PlyCount \"3\"]\n\n1. 32-28 18-23 {[%clk 1:55:21] fine} (1... 19-23 $1) 2. 33-29! 2-0\n\n";
    let broken = "[Event \"x\"]\n[event \"y\"]\n[Date \"never\"]\n[Risultato \"1-1\"]\n[FEN \"W:X\"]\n\n\
                  1. 32-28 nonsense ) 3. 18-23 {[%clk soon]} 0-1 2-0\n\n";
    let many_tags: String = (0..100).map(|i| format!("[Tag{i} \"\"]\n")).collect();
    let text = format!("{many_tags}*\n\n{}", [sound, broken].concat().repeat(50));
    for style in [false, true] {
        let mut checker = Checker::new(Options::new().style(style));
        let mut games = 0;
        let mut findings = 0;
        let mut pass = || {
            for game in split::games(text.as_bytes()) {
                findings += checker.check(&game).findings.len();
                games += 1;
            }
        };
        // The splitter allocates for its own first game with empty lines between tags, so it is measured alone too.
        pass();
        let splitting = measure(|| assert_eq!(split::games(text.as_bytes()).count(), 101));
        let both = measure(pass);
        assert!(games == 202 && findings > 200);
        assert_eq!(both.count_total, splitting.count_total, "style: {style}");
    }
}
