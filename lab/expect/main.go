// Command expect holds what rdmacap check finds on the lab's wire against what the plays in the
// machine wrote down that it should find.
//
//	go run ./lab/expect FOLDER
//
// The folder is the one that lab/run keeps a boot's results in. Its file expected has a line for each
// connection that is looked at, named by its transport and the server's port:
//
//	rxe 21002 finds HDR-003 as captures/rxe.21002-HDR-003.pcap
//	                                         something is found by this rule, and else about messages what is certain in
//	                                         that capture, and no more
//	rxe 20052 errors HDR-002a                the errors that no other finding explains are by these rules
//	rxe 20055 names CREDIT-001               each error explains what this rule finds, or is explained by it
//	siw 20057 names CREDIT-001 but TRANS-012  and so it is, but for this rule
//	siw 20103 certain siw-basic.pcap.zst 3 but ULB-017
//	                                         what is certain, notes and ULB-017 apart, is found in connection 3 of that capture too
//	siw 20103 own server as siw-basic.pcap.zst 3 but RPC-007
//	                                         nothing but notes is found about what the server at that port sent, on any connection
//	                                         to it, but what is found in connection 3 of that capture too, and by RPC-007
//	rxe 20084 takes 128000 20086             from the first call to the last reply it takes at most so many microseconds, with
//	                                         the connection at that port together
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./lab/expect FOLDER")
		os.Exit(2)
	}
	if err := checkAll(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

// checkAll holds each line of expected against what is found, and prints it.
func checkAll(folder string) error {
	text, err := os.ReadFile(filepath.Join(folder, "expected"))
	if err != nil {
		return err
	}
	program := filepath.Join(folder, "rdmacap")
	wire, err := check(program, filepath.Join(folder, "wire.pcap"))
	if err != nil {
		return err
	}
	failed := 0
	for line := range strings.Lines(string(text)) {
		var e expectation
		if err := e.parse(strings.Fields(line)); err != nil {
			return fmt.Errorf("%q: %w", strings.TrimSpace(line), err)
		}
		why := "there is no such connection on the wire"
		if found, is := wire.byPlace[e.at]; is {
			if why, err = e.differs(program, folder, found); err != nil {
				return err
			}
		}
		if why != "" {
			fmt.Printf("%s: NOT SO: %s\n", strings.TrimSpace(line), why)
			failed++
			continue
		}
		fmt.Println(strings.TrimSpace(line))
	}
	if failed > 0 {
		return fmt.Errorf("%d expectations are not met by the wire", failed)
	}
	return nil
}
