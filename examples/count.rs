fn main(){ for p in std::env::args().skip(1){ let b=std::fs::read(&p).unwrap(); println!("{}\t{}",p,pdn::split::games(&b).count()); } }
