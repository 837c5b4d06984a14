dtrace: error on enabled probe ID 2 .*divide-by-zero.*
