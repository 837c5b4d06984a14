use std::hint::black_box;

pub mod shop {
    #[inline(never)]
    pub fn apply<F: Fn(u32) -> u32>(f: F, n: u32) -> u32 { f(n) }
    #[inline(never)]
    pub fn once<F: FnOnce(u32) -> u32>(f: F, n: u32) -> u32 { f(n) }
    pub struct Till { pub sum: u32 }
    impl Till {
        #[inline(never)]
        pub fn ring(&mut self, by: u32) -> u32 {
            let tax = by / 5;
            let add = |n: u32| { std::hint::black_box(n + tax) };
            self.sum += add(by);
            self.sum
        }
    }
}

// What they capture: by reference, by value, nothing; and who owns it, when that has
// three words, and two.
#[inline(never)]
fn by_ref(k: u32) -> u32 { let c = |n: u32| black_box(n * 2 + k); shop::apply(c, 4) }
#[inline(never)]
fn by_value(k: u32) -> u32 { let c = move |n: u32| black_box(n + k); shop::apply(c, 5) }
#[inline(never)]
fn nothing() -> u32 { shop::apply(|n: u32| black_box(n + 1), 6) }
#[inline(never)]
fn owns(text: String) -> u32 { shop::once(move |n: u32| { drop(text); n }, 7) }
#[inline(never)]
fn two(p: Box<u32>, q: u64) -> u32 { shop::once(move |n: u32| { drop(p); n + q as u32 }, 8) }
#[inline(never)]
fn pattern(k: u32) -> u32 {
    let c = |(a, b): (u32, u32)| black_box(a + b + k);
    c((1, 9))
}

#[inline(never)]
fn boxed(k: u32) -> u32 {
    let c: Box<dyn Fn(u32) -> u32> = Box::new(move |n| n + k);
    black_box(c)(9)
}

fn main() {
    let sum = by_ref(3) + by_value(13) + nothing() + owns(String::from("abc")) +
        two(Box::new(2), 21) + pattern(23) + boxed(31) + shop::Till { sum: 1 }.ring(10);
    std::process::exit((sum == 0) as i32);
}
