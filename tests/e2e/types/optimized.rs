use std::hint::black_box;

pub mod shop {
    #[inline(never)]
    pub fn each(f: &mut dyn FnMut(u64, &u32) -> u64, n: u64) -> u64 {
        (0..n).map(|i| f(i, &7)).sum()
    }
    #[inline(never)]
    pub fn twice<F: FnMut(u64, &u32) -> u64>(mut f: F) -> u64 { f(1, &8) + each(&mut f, 2) }
}

// Each is called through a pointer; the first two are inlined elsewhere, too.  They capture
// by value and by reference, and do not use a parameter.
#[inline(never)]
fn value(k: u64, q: u32) -> u64 {
    shop::twice(move |n, p| n * k + *black_box(p) as u64 + q as u64)
}
#[inline(never)]
fn refs(k: u64, mut sum: u32) -> u64 {
    shop::twice(|n, p| { sum += *black_box(p); n * k + sum as u64 }) + sum as u64
}
#[inline(never)]
fn first(k: u64) -> u64 { shop::each(&mut move |n, _| black_box(n) + k, 2) }
#[inline(never)]
fn second(k: u64) -> u64 { shop::each(&mut move |_, p| black_box(p as *const u32 as u64) + k, 2) }

fn main() {
    let sum = value(black_box(5), 9) + refs(black_box(7), 2) + first(3) + second(2);
    std::process::exit((sum == 0) as i32);
}
