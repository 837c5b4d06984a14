.*"output":\[\{"print":"struct point","value":\{"x":-1,"name":"a"\}\},\{"print":"char","value":97\},\{"exit":0\}\]\}
