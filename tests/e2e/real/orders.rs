// Static probes of Rust, as inline assembly, with an argument in JSON.
use std::arch::asm;
#[inline(never)]
fn fire(text: *const u8, n: u64) {
    unsafe {
        asm!(
            "990: nop",
            ".pushsection .note.stapsdt,\"?\",\"note\"",
            ".balign 4",
            ".4byte 992f-991f, 994f-993f, 3",
            "991: .asciz \"stapsdt\"",
            "992: .balign 4",
            "993: .8byte 990b",
            ".8byte _.stapsdt.base",
            ".8byte 0",
            ".asciz \"orders\"",
            ".asciz \"order__placed\"",
            ".asciz \"8@{0} 8@{1}\"",
            "994: .balign 4",
            ".popsection",
            ".ifndef _.stapsdt.base",
            ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat",
            ".weak _.stapsdt.base",
            ".hidden _.stapsdt.base",
            "_.stapsdt.base: .space 1",
            ".size _.stapsdt.base, 1",
            ".popsection",
            ".endif",
            in(reg) text, in(reg) n, options(att_syntax)
        );
    }
}
fn main() {
    for i in 0..3u64 {
        let text = format!("{{\"ok\":{{\"val\":{}}},\"who\":\"customer {}\"}}\0", i * 7, i);
        fire(text.as_ptr(), text.len() as u64);
    }
}
