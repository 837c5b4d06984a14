// Rust: calls getppid() after it has told which return addresses the runtime's unwinder
// finds, one line of them, the innermost first.
use std::collections::BTreeMap;
use std::ffi::c_void;

#[repr(C)]
struct Context {
    _private: [u8; 0],
}
extern "C" {
    fn _Unwind_Backtrace(f: extern "C" fn(*mut Context, *mut c_void) -> i32, arg: *mut c_void) -> i32;
    fn _Unwind_GetIP(c: *mut Context) -> usize;
    fn syscall(number: i64, ...) -> i64;
}
static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
extern "C" fn on_frame(c: *mut Context, arg: *mut c_void) -> i32 {
    let all = unsafe { &mut *(arg as *mut Vec<usize>) };
    all.push(unsafe { _Unwind_GetIP(c) });
    0
}
// The first address is in this function itself.
#[inline(never)]
fn here(name: &str) {
    let mut all: Vec<usize> = Vec::with_capacity(128);
    unsafe { _Unwind_Backtrace(on_frame, &mut all as *mut _ as *mut c_void) };
    let text: Vec<String> = all[1..].iter().filter(|&&ip| ip != 0).map(|ip| format!("{ip:x}")).collect();
    // one after the other, as the trace is
    let _turn = TURN.lock().unwrap_or_else(|e| e.into_inner());
    println!("{} {}", name, text.join(" "));
    unsafe { syscall(110) };
    std::hint::black_box(&all);
}
#[inline(never)]
fn deep(n: u32, name: &str) -> u32 {
    if n == 0 {
        here(name);
        1
    } else {
        std::hint::black_box(deep(n - 1, name)) + n
    }
}
trait Shape {
    fn area(&self) -> f64;
}
struct Square(f64);
struct Named<T>(T, String);
impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> f64 {
        here("dyn");
        self.0 * self.0
    }
}
impl<T: Shape> Shape for Named<T> {
    #[inline(never)]
    fn area(&self) -> f64 {
        std::hint::black_box(self.0.area()) + self.1.len() as f64
    }
}
struct Dropped;
impl Drop for Dropped {
    #[inline(never)]
    fn drop(&mut self) {
        here("drop");
    }
}
fn main() {
    deep(40, "deep");
    let mut v = vec![5, 3, 9, 1, 7, 2, 8];
    let mut calls = 0;
    v.sort_by(|a, b| {
        calls += 1;
        if calls == 4 {
            here("sort_by");
        }
        a.cmp(b)
    });
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2.0)), Box::new(Named(Square(3.0), "n".into()))];
    let sum: f64 = shapes.iter().map(|s| s.area()).sum();
    let f: Box<dyn Fn(i32) -> i32> = Box::new(move |x| {
        here("closure");
        x + sum as i32
    });
    std::hint::black_box(f(3));
    std::panic::set_hook(Box::new(|_| here("hook")));
    let r = std::panic::catch_unwind(|| {
        let _d = Dropped;
        if std::hint::black_box(1) == 1 {
            panic!("thrown");
        }
    });
    assert!(r.is_err());
    here("after");
    // by now it is known what is mapped; until then a thread that maps something may be in the
    // way of another's stack, which is marked
    std::thread::sleep(std::time::Duration::from_millis(300));
    let t: Vec<_> = (0..3).map(|i| std::thread::spawn(move || deep(i, "thread"))).collect();
    for t in t {
        t.join().unwrap();
    }
    let mut m = BTreeMap::new();
    for i in 0..100 {
        m.insert(i, i * i);
    }
    m.retain(|k, _| {
        if *k == 50 {
            here("retain");
        }
        k % 2 == 0
    });
    std::thread::scope(|s| {
        s.spawn(|| here("scoped"));
    });
    std::hint::black_box(m.len());
}
