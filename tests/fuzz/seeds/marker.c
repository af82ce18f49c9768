# 1
int a;
"