// Command newrule creates the files of a built-in rule. It is run in the root of the repository:
//
//	go run ./internal/newrule HDR-018
//	go run ./internal/newrule -on rpc RPC-014
//
// It writes report/rules/hdr/hdr018.rule and hdr018.go from those of package skeleton. What is to be filled
// in says TODO; the tests of the family fail until no TODO is left. docs/rules-howto.md explains the rest.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// usage returns the help.
func usage() string {
	return `usage: go run ./internal/newrule [-on HOOK] ID

ID is the ID of the new rule, such as HDR-018. HOOK is what its check is called for first:
` + listOfHooks() + `
The default is message. A rule may have several hooks: add the others to On of its check.

Examples:
  go run ./internal/newrule HDR-018             a header of a message
  go run ./internal/newrule -on rpc ULB-021     a call and its reply
  go run ./internal/newrule -on tick SYM-012    an answer that does not come
`
}

func main() {
	id, on, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(usage())
		return
	}
	var made *rule
	if err == nil {
		made, err = create(".", id, on)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "newrule:", err)
		os.Exit(2)
	}
	fmt.Print(made.nextSteps())
}

// parse reads the arguments. Options may stand before the ID or after it.
func parse(args []string) (id string, on hook, err error) {
	options := flag.NewFlagSet("newrule", flag.ContinueOnError)
	options.SetOutput(io.Discard) // the caller prints the error
	name := options.String("on", "message", "")
	if err := options.Parse(args); err != nil {
		return "", hook{}, err
	}
	if options.NArg() > 0 {
		id = options.Arg(0)
		if err := options.Parse(options.Args()[1:]); err != nil {
			return "", hook{}, err
		}
	}
	if id == "" || options.NArg() > 0 {
		return "", hook{}, fmt.Errorf("one ID is needed\n\n%s", usage())
	}
	on, err = hookOf(*name)
	return id, on, err
}
