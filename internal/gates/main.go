package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

func main() {
	accused, err := measure(os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp): // it was given
	case err != nil:
		fmt.Fprintln(os.Stderr, "gates:", err)
		os.Exit(2)
	case accused > 0:
		os.Exit(1)
	}
}

// measure does what the command line says, and returns how many errors are false.
func measure(args []string, out io.Writer) (accused int, err error) {
	flags := flag.NewFlagSet("gates", flag.ContinueOnError)
	verbose := flags.Bool("v", false, "list what is not found, and what cannot be proven")
	only := flags.String("rules", "", "only a `LIST` of rules or families")
	keep := flags.String("keep", "", "write the captures in which something is not found to a `DIR`")
	jobs := flags.Int("j", 2, "how many rules are measured at a time: `N`")
	if err := flags.Parse(args); err != nil {
		return 0, err
	}
	all := catalogue.All()
	results := make([]result, len(all))
	for i := range results {
		results[i].keep = *keep
	}
	var wait sync.WaitGroup
	turn := make(chan int)
	for range max(*jobs, 1) {
		wait.Go(func() {
			for i := range turn {
				results[i].measure(all, all[i])
			}
		})
	}
	for i, r := range all {
		if *only == "" || slices.ContainsFunc(strings.Split(*only, ","), func(s string) bool { return s == r.ID || s == r.Family() }) {
			turn <- i
		}
	}
	close(turn)
	wait.Wait()
	var sum result
	for i := range results {
		sum.addResult(&results[i])
	}
	if sum.err != nil {
		return 0, sum.err
	}
	sum.print(out, *verbose)
	return len(sum.accusations), nil
}

// A result is what became of scenarios.
type result struct {
	counts      []count // by treatment, for each family
	notes       []string
	accusations []string
	keep        string // the directory for captures with misses, "" for none
	err         error
}

// A count is that of a family under a treatment.
type count struct {
	family    string
	treatment string
	found     int // certain, or likely
	missed    int // not found, though nothing is gone that the rule needs
	left      int // all frames of the finding are left: found, missed, or not provable
}

// measure treats all scenarios of a rule.
func (r *result) measure(list []*rules.Rule, rule *rules.Rule) {
	all, err := scenarios(list, rule)
	if err != nil {
		r.err = err
		return
	}
	for _, s := range all {
		for _, t := range treatments() {
			r.treat(list, s, &t)
		}
		r.count(s, "scenarios", count{found: 1, left: 1})
	}
}

// treat asks the rules about a scenario that was treated.
func (r *result) treat(list []*rules.Rule, s *scenario, t *treatment) {
	for i, text := range t.texts(s) {
		without := gone(s, t)
		why := cmp.Or(without, unprovable(s, t, i))
		p, err := play(list, text, s.over, s.rule)
		if err != nil {
			r.err = errors.Join(r.err, fmt.Errorf("%s, %s: %w", s, t.name, err))
			return
		}
		for _, id := range p.accuses() {
			if f := p.findingOf(id); !s.found.names(f.Rule) {
				r.accusations = append(r.accusations, fmt.Sprintf("%s, %s: %s frame %d: %s", s, t.name, id, f.Frame.Number, f.Message))
			}
		}
		found := p.findingOf(s.id) != nil
		switch {
		case found:
			r.count(s, t.name, count{found: 1, left: 1})
		case why == "":
			r.count(s, t.name, count{missed: 1, left: 1})
			r.notes = append(r.notes, fmt.Sprintf("missed: %s, %s %d: the capture %s", s, t.name, i+1, p.shutBeside(s.found)))
			r.err = errors.Join(r.err, r.write(p.scene, fmt.Sprintf("%s, %s %d", s, t.name, i+1)))
		default:
			if without == "" {
				r.count(s, t.name, count{left: 1})
			}
			r.notes = append(r.notes, fmt.Sprintf("not provable: %s, %s: %s", s, t.name, why))
		}
	}
}

// write keeps a capture in which something is missed.
func (r *result) write(s *scene.Scene, name string) error {
	if r.keep == "" {
		return nil
	}
	var b bytes.Buffer
	if err := s.WritePcap(&b); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.keep, strings.NewReplacer(`"`, "", "/", "-").Replace(name)+".pcap"), b.Bytes(), 0o644)
}

// count counts one.
func (r *result) count(s *scenario, treatment string, one count) {
	for _, family := range []string{"all families", s.family(), "over " + s.over.String()} {
		r.countOf(family, treatment).addCount(&one)
	}
}

func (c *count) addCount(o *count) {
	c.found += o.found
	c.missed += o.missed
	c.left += o.left
}

// countOf is the count of a family under a treatment.
func (r *result) countOf(family, treatment string) *count {
	i := slices.IndexFunc(r.counts, func(c count) bool { return c.family == family && c.treatment == treatment })
	if i < 0 {
		i = len(r.counts)
		r.counts = append(r.counts, count{family: family, treatment: treatment})
	}
	return &r.counts[i]
}

// addResult adds another result.
func (r *result) addResult(o *result) {
	for _, c := range o.counts {
		r.countOf(c.family, c.treatment).addCount(&c)
	}
	r.notes = append(r.notes, o.notes...)
	r.accusations = append(r.accusations, o.accusations...)
	r.err = errors.Join(r.err, o.err)
}

// print prints the table: found of those whose frames are all left, and in brackets how many of the
// others are missed. The rest is not provable, as needs.go has it.
func (r *result) print(w io.Writer, verbose bool) {
	if verbose {
		for _, s := range r.notes {
			fmt.Fprintln(w, s)
		}
	}
	for _, s := range r.accusations {
		fmt.Fprintln(w, "false alarm:", s)
	}
	fmt.Fprint(w, "| | scenarios |")
	for _, t := range treatments() {
		fmt.Fprintf(w, " %s |", t.name)
	}
	fmt.Fprint(w, "\n|"+strings.Repeat(" --- |", 2+len(treatments()))+"\n")
	var families []string
	for _, c := range r.counts {
		families = append(families, c.family)
	}
	slices.Sort(families)
	families = slices.Compact(families)
	slices.SortStableFunc(families, func(a, b string) int { return rank(a) - rank(b) })
	for _, family := range families {
		fmt.Fprintf(w, "| %s | %d |", family, r.countOf(family, "scenarios").found)
		for _, t := range treatments() {
			if c := r.countOf(family, t.name); c.left > 0 {
				fmt.Fprintf(w, " %d/%d (%d) |", c.found, c.left, c.missed)
			} else {
				fmt.Fprint(w, " – |")
			}
		}
		fmt.Fprintln(w)
	}
}

// rank puts what is about all families first.
func rank(family string) int {
	switch {
	case family == "all families":
		return 0
	case strings.HasPrefix(family, "over "):
		return 1
	}
	return 2
}
