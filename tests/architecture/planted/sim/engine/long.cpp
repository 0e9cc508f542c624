// Eight lines of code where seven are allowed; comments and empty lines do not count.

int line_1 = 1;
int line_2 = 2;
int line_3 = 3;
int line_4 = 4;
int line_5 = 5;
int line_6 = 6;
int line_7 = 7;
int line_8 = 8;
