// Command testlog reads what go test -json writes, and prints what somebody wants to know of
// it: a line for each package, the output of what failed, the slowest tests, which tests
// were skipped and why, and how many passed.
//
//	go test -json ./... | go run ./internal/testlog
//
// Its exit status is 1 if anything failed, or if no test ran.
package main

import (
	"fmt"
	"os"
)

func main() {
	l := newTestLog()
	if err := l.read(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(2)
	}
	l.summarize(os.Stdout)
	if l.failed > 0 || l.passed == 0 {
		os.Exit(1)
	}
}
