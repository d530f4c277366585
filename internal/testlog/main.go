// Testlog reads what go test -json writes and prints what a person wants of it: a line for
// each package as it is done, with all that tests which failed have said; at the end the
// slowest packages and tests, those that were skipped with the reason, and how many passed
// and failed.
//
//	go test -json ./... | go run ./internal/testlog
//
// The exit status is that of the tests, 1 if any failed, whatever that of go test is.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

func main() {
	failed, err := report(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

// report reads events and prints, and is whether something failed.
func report(from io.Reader, to io.Writer) (failed bool, err error) {
	l := &log{to: bufio.NewWriter(to), running: make(map[name]*record), packages: make(map[string]*record)}
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			l.line(line)
		}
		if err == io.EOF {
			break
		} else if err != nil {
			return true, err
		}
	}
	l.end()
	return l.failed > 0, l.to.Flush()
}
