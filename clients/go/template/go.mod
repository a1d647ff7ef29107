// What arena init makes projects of; this file keeps it out of the module of the library.
module arena-bots/template

go 1.23.0
