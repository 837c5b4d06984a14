CPU     ID                    FUNCTION:NAME
 +\d+ +1 +:BEGIN   0x1 {47}
 +\d+ +1 +:BEGIN   0x2a {46}
 +\d+ +1 +:BEGIN   vmlinux`[A-Za-z_]\w* +
 +\d+ +1 +:BEGIN   vmlinux {43}

