package main

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// howFar is how many lines of what check prints somebody reads.
const howFar = 40

// check says of each capture of a folder whether what check says of it names what was injected, or something else.
func check(folder, program string) error {
	injected, err := injections(folder)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(injected))
	for name := range injected {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(injected[a].kind, injected[b].kind), cmp.Compare(a, b))
	})
	var faults, named, wrong int
	for _, name := range names {
		out, err := exec.Command(program, "check", filepath.Join(folder, "blind", name+".pcap")).Output()
		if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
			return err
		}
		x := injected[name]
		o := opinionOf(string(out), x.kind)
		if !strings.HasPrefix(x.kind, healthy) {
			faults++
			if o.named {
				named++
			}
		}
		if len(o.wrong) > 0 {
			wrong++
		}
		fmt.Printf("%s\t%s\t%s\t%s\n", name, o, x.kind, x.words)
		if !o.named || len(o.wrong) > 0 {
			fmt.Printf("\t%s\n", o.verdict)
		}
	}
	fmt.Printf("%d of %d faults are named, %d captures have something wrong said of them\n", named, faults, wrong)
	return nil
}

// An opinion is what the words of check come to.
type opinion struct {
	named   bool
	wrong   []string // claims in the verdict that are not so
	verdict string
}

func (o opinion) String() string {
	text := "not named"
	if o.named {
		text = "named"
	}
	if len(o.wrong) > 0 {
		text += ", wrong: " + strings.Join(o.wrong, ", ")
	}
	return text
}

// opinionOf holds what check prints against a kind of fault ("delay/to-client").
func opinionOf(out, kind string) (o opinion) {
	lines := strings.SplitAfterN(out, "\n", howFar+1)
	first := strings.Join(lines[:min(howFar, len(lines))], "")
	verdict, _, _ := strings.Cut(first, "── overview")
	o.verdict = unbroken(verdict)
	said := claimed(o.verdict)
	name, way, _ := strings.Cut(kind, "/")
	right, may := claimsOf(name, way)
	if name == healthy {
		o.named = len(said) == 0
	}
	for _, c := range said {
		o.named = o.named || slices.Contains(right, c)
		if !slices.Contains(right, c) && !slices.Contains(may, c) {
			o.wrong = append(o.wrong, c)
		}
	}
	return o
}

// unbroken is a text without its lines and what draws its trees.
func unbroken(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", "", "├──", "", "└──", "", "\u00a0", " ").Replace(text)), " ")
}
