dtrace: error on .*invalid address .*
dtrace: error on .*bad index .*
dtrace: error on .*bad index .*
