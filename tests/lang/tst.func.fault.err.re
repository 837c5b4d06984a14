dtrace: error on enabled probe ID [0-9]+ \(ID 1: dtrace:::BEGIN\): divide-by-zero in action #2 at DIF offset [0-9]+, line 8
