//! x
use evogrid_core::sudoku::{*,exact::*}; use evogrid_core::{random::RandomStream,problem::Problem};
fn main(){
 let a:Vec<String>=std::env::args().collect();
 if a[1]=="check" { for f in &a[2..] { for l in std::fs::read_to_string(f).unwrap().lines().skip(1) { let b:Board=l.rsplit(',').next().unwrap().parse().unwrap(); println!("{l} {} {} {}", b.n_givens(), count_solutions(&b,2), solve(&b).unwrap()); } } return; }
 let shape=Shape::square_for(a[4].parse().unwrap()).unwrap();
 let p=Sudoku::new(&Board::empty(shape),Representation::from_name(&a[2]).unwrap(),FitnessKind::from_name(&a[1]).unwrap());
 let mut g=vec![0;shape.n_cells()]; p.randomise(&mut g,&mut RandomStream::from_seed(1));
 let n:u32=a[3].parse().unwrap(); let mut t=0.0; for _ in 0..n { t+=p.fitness(std::hint::black_box(&g)).value(); } println!("{t}");
}
