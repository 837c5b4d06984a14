use std::hint::black_box;

pub mod shop {
    pub enum Kind { Book, Toy = 7 }
    pub enum Price { Free, Fixed(u64), Range { low: u32, high: u32 } }
    pub struct Item<'a> {
        pub id: u32,
        pub name: &'a str,
        pub tags: [u16; 3],
        pub kind: Kind,
        pub price: Price,
        pub next: Option<&'a Item<'a>>,
        pub ok: bool,
    }
    pub struct Pair<A, B> { pub a: A, pub b: B }
    #[inline(never)]
    #[no_mangle]
    pub extern "C" fn pair(p: &Pair<u32, Vec<u16>>) -> u32 {
        std::hint::black_box(p.a + p.b[0] as u32)
    }
    #[inline(never)]
    #[no_mangle]
    pub extern "C" fn show(i: &Item, n: usize) -> usize {
        std::hint::black_box(i.id as usize + n)
    }
}

fn main() {
    let _ = shop::Kind::Book as u8 + shop::Kind::Toy as u8;
    let _ = shop::Price::Free;
    let a = shop::Item { id: 1, name: "first", tags: [1, 2, 3], kind: shop::Kind::Toy,
        price: shop::Price::Fixed(9), next: None, ok: true };
    let b = shop::Item { id: 2, name: "second", tags: [4, 5, 6], kind: shop::Kind::Book,
        price: shop::Price::Range { low: 1, high: 2 }, next: Some(&a), ok: false };
    shop::pair(black_box(&shop::Pair { a: 8, b: vec![7, 6, 5] }));
    std::process::exit((shop::show(black_box(&b), 3) + shop::show(black_box(&a), 4) == 0) as i32);
}
