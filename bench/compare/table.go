//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
)

// claim is what the README says of a sample, repeated 20 times or more: a command is at
// least so many times as fast as another one, or takes at most so much memory.
type claim struct {
	sample, command, than string
	least                 float64 // the other's median time divided by its own
	most                  float64 // MiB
}

// claims are below what was measured, since machines differ and have other work.
var claims = []claim{
	{sample: "rxe-basic", command: check, than: statistics, least: 8},
	{sample: "rxe-basic", command: read, than: listing, least: 11},
	{sample: "rxe-basic", command: check, most: 50},
	{sample: "siw-basic", command: check, than: statistics, least: 6.8},
	{sample: "siw-basic", command: read, than: listing, least: 9},
	{sample: "siw-basic", command: check, most: 50},
}

// check says whether the claim holds, in words too.
func (c *claim) check(list []*command) (text string, holds bool) {
	a := find(list, c.command)
	if c.than == "" {
		holds = a.peak <= c.most
		text = fmt.Sprintf("`%s` takes %.0f MiB (claimed: %g at most)", c.command, a.peak, c.most)
	} else {
		times := median(find(list, c.than).seconds) / median(a.seconds)
		holds = times >= c.least
		text = fmt.Sprintf("`%s` is %.1f times as fast as `%s` (claimed: %g at least)", c.command, times, c.than, c.least)
	}
	if !holds {
		text += ": MISSED"
	}
	return text, holds
}

// find is the command of that name, of which there must be one.
func find(list []*command, name string) *command {
	return list[slices.IndexFunc(list, func(c *command) bool { return c.name == name })]
}

// table words the commands as a table in Markdown.
func table(list []*command, frames int) string {
	var s strings.Builder
	s.WriteString("| command | seconds, least | seconds, median | CPU seconds | frames/s | × tshark, least | × tshark, median | peak MiB |\n")
	s.WriteString("| --- " + strings.Repeat("| --: ", 7) + "|\n")
	for _, c := range list {
		least, middle := slices.Min(c.seconds), median(c.seconds)
		fmt.Fprintf(&s, "| `%s` | %s | %s | %s | %.0f | %.1f | %.1f | %.0f |\n", c.name,
			digits(least), digits(middle), digits(median(c.cpu)), float64(frames)/middle,
			slices.Min(c.against.seconds)/least, median(c.against.seconds)/middle, c.peak)
	}
	return s.String()
}

// digits words seconds so that a start-up of some milliseconds can be told from another.
func digits(seconds float64) string {
	if seconds < 0.1 {
		return fmt.Sprintf("%.4f", seconds)
	}
	return fmt.Sprintf("%.3f", seconds)
}

// median is the middle one of numbers, or the mean of the two in the middle.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
