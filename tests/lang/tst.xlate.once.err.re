dtrace: error on enabled probe ID \d+ \(ID 1: dtrace:::BEGIN\): invalid address \(0x8\) in action #1 at DIF offset .*
