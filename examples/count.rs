//! scratch
use pdn::{diag::*, parse::*};
#[derive(Default)]
struct V {
    moves: u64,
    nums: u64,
    diags: std::collections::BTreeMap<&'static str, (u64, String)>,
    game: Vec<u8>,
}
impl<'g> Visitor<'g> for V {
    fn play(&mut self, _: Move<'g>) -> Flow {
        self.moves += 1;
        Flow::Continue(())
    }
    fn diagnostic(&mut self, d: Diagnostic) -> Flow {
        let e = self.diags.entry(d.code.id()).or_default();
        e.0 += 1;
        let s = d.span.start.saturating_sub(10) as usize;
        let g = &self.game;
        e.1 =
            String::from_utf8_lossy(&g[s..(d.span.end as usize + 10).min(s + 60).min(g.len())]).into_owned();
        Flow::Continue(())
    }
}
fn main() {
    for p in std::env::args().skip(1) {
        let b = std::fs::read(&p).unwrap();
        let mut v = V::default();
        let mut n = 0;
        for g in pdn::split::games(&b) {
            n += 1;
            v.game = g.bytes.to_vec();
            walk(g.bytes, &mut v);
        }
        println!("{}\t{}\t{} {:?}", p, n, v.moves, v.diags);
    }
}
