package main

import (
	"fmt"
	"strconv"
	"strings"
)

// A connectionList is the value of --connection: numbers and ranges of them, as rows and reports
// write them ("3", "#3", "2,5-7").
type connectionList []int

// mostConnections is how many one flag may name: beyond that it is a typing error.
const mostConnections = 10_000

// String is that of pflag.Value.
func (l *connectionList) String() string {
	var b strings.Builder
	for i, n := range *l {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// Type is that of pflag.Value.
func (l *connectionList) Type() string { return "N" }

// Set is that of pflag.Value: each flag adds to those before it.
func (l *connectionList) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, ok := connectionNumber(from)
		last := first
		if ok && isRange {
			last, ok = connectionNumber(to)
		}
		switch {
		case !ok:
			return fmt.Errorf("%q is not a connection number: write 3, or several as in 2,5-7", part)
		case last < first || last-first >= mostConnections-len(*l):
			return fmt.Errorf("%s is not a range of at most %d connections", part, mostConnections)
		}
		for n := first; n <= last; n++ {
			*l = append(*l, n)
		}
	}
	return nil
}

// connectionNumber reads the number of a connection.
func connectionNumber(text string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(text), "#"))
	return n, err == nil && n >= 0
}
