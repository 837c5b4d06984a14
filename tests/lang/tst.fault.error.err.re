dtrace: error on enabled probe ID 2 \(ID 1: dtrace:::BEGIN\): invalid address \(0x8\) in action #1 at DIF offset \d+
dtrace: 1 error in ERROR probe enabling
