#include "my_bot.h"

int main(int argc, char** argv) { return arena::run<MyBot>(argc, argv); }
