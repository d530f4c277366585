// Package manual makes manual pages, in the macros of man(7), out of what the program prints
// for --help: what is said in one is said in the other. cobra/doc makes pages of the commands
// themselves, but it has Markdown read texts that are none, leaves out the name of a flag's value
// (--filter EXPR), and would be linked into the program, as the commands are in package main.
package manual
