byte x = 3
byte y : 4;
