// Package cputime reports how much of the processors a test has used, for tests that hold
// that some work is bounded: how long it takes depends on what else the machine does.
package cputime
