dtrace: error on enabled probe ID 2 \(ID 1: dtrace:::BEGIN\): invalid address \(0x8\) in action #2.*
