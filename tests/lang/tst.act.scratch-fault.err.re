dtrace: error on enabled probe ID 1 \(ID 1: dtrace:::BEGIN\): out of scratch space in action #1 at DIF offset \d+
dtrace: error on enabled probe ID 3 \(ID 1: dtrace:::BEGIN\): out of scratch space in action #2 at DIF offset \d+
dtrace: error on enabled probe ID 4 \(ID 1: dtrace:::BEGIN\): invalid address \(0x10\) in action #1 at DIF offset \d+
dtrace: error on enabled probe ID 5 \(ID 1: dtrace:::BEGIN\): invalid address \(0x8\) in action #1 at DIF offset \d+
dtrace: error on enabled probe ID 6 \(ID 1: dtrace:::BEGIN\): invalid address \(0x18\) in action #1 at DIF offset \d+
dtrace: error on enabled probe ID 7 \(ID 1: dtrace:::BEGIN\): invalid address \(0x20\) in action #1 at DIF offset \d+
dtrace: error on enabled probe ID 8 \(ID 1: dtrace:::BEGIN\): invalid address \(0x28\) in action #2 at DIF offset \d+
dtrace: error on enabled probe ID 10 \(ID 1: dtrace:::BEGIN\): invalid address \(0xf[0-9a-f]+\) in action #1 at DIF offset \d+
dtrace: error on enabled probe ID 11 \(ID 1: dtrace:::BEGIN\): invalid address \(0xf[0-9a-f]+\) in action #2 at DIF offset \d+
