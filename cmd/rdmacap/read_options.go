package main

// readOptions are the flags of rdmacap read.
type readOptions struct {
	inputOptions
	format   string
	level    string
	filter   string
	place    placeOptions
	details  bool
	hex      bool
	columns  string
	times    string
	sort     string
	limit    int
	color    string
	bindings []string
}
