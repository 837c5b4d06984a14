dtrace: warning: line 4: typedef without a name: this declares struct foo alone
