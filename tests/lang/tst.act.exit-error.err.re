dtrace: error on enabled probe ID 2 .*
