// Command newrule creates the files of a built-in rule. It is run in the root of the repository:
//
//	go run ./internal/newrule HDR-018
//
// It writes report/rules/hdr/hdr018.rule and hdr018.go from those of package skeleton. What is to be filled
// in says TODO; the tests of the family fail until no TODO is left. docs/rules-howto.md explains the rest.
package main

import (
	"fmt"
	"os"
)

const usage = "usage: go run ./internal/newrule ID\n\nID is the ID of the new rule, such as HDR-018.\n"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	made, err := create(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "newrule:", err)
		os.Exit(2)
	}
	fmt.Print(made.nextSteps())
}
