package main

// readOptions are the flags of rdmacap read.
type readOptions struct {
	inputOptions
	format   string
	level    string
	filter   string
	details  bool
	hex      bool
	columns  string
	color    string
	bindings []string
}
