// Package api holds the check of what the module promises to other programs: the exported API of
// the packages that are meant as libraries, and which packages those are.
//
//	go list -export ──> go/types ──> one line for each exported thing ──> testdata/PATH.txt
//
// A line is complete in itself, so a difference from testdata is a set of lines added and a set of
// lines removed. To accept one:
//
//	go test ./internal/api -update
//
// Names of parameters are not in a line: changing them breaks no program.
package api
