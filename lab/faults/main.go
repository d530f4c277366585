// Command faults makes a blind test of what rdmacap check says of captures with one injected fault each.
//
//	go run ./lab/faults plan SEED >plan     what is injected, chosen by a seed: a script for guest/faults.sh
//	go run ./lab/faults cut FOLDER          cuts the lab's wire
//	go run ./lab/faults judge FOLDER RDMACAP
//
// The folder is the one that lab/run keeps the play's results in: its file injected has a line a fault,
// with a name, a kind and what was injected. The captures are FOLDER/blind/NAME.pcap, without a word
// of what is in them: somebody who knows neither plan nor injected reads what check says of each, and writes down the
// cause. judge holds the words of the verdicts against those that each kind of fault is known by.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

var errUsage = errors.New("usage: go run ./lab/faults plan SEED | cut FOLDER | judge FOLDER RDMACAP")

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errUsage
	}
	switch {
	case args[0] == "plan" && len(args) == 2:
		seed, err := strconv.ParseUint(args[1], 10, 64)
		if err != nil {
			return err
		}
		for _, f := range plan(seed) {
			fmt.Println(f.line)
		}
		return nil
	case args[0] == "cut" && len(args) == 2:
		return cut(args[1])
	case args[0] == "judge" && len(args) == 3:
		return check(args[1], args[2])
	}
	return errUsage
}
