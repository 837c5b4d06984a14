dtrace: error on .*bad index .*
dtrace: error on .*bad index .*
