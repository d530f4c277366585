package main

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/field"
)

// complain writes a message to standard error: "rdmacap: " and the text. Names of files and
// what stands in them are a stranger's, so what a terminal would obey is an escape.
func complain(s streams, format string, args ...any) {
	var b []byte
	for i, line := range strings.Split(fmt.Sprintf(format, args...), "\n") {
		if i > 0 {
			b = append(b, '\n')
		}
		for j, part := range strings.Split(line, "\t") { // under which the mark of a place stands
			if j > 0 {
				b = append(b, '\t')
			}
			b = field.AppendVisible(b, part)
		}
	}
	fmt.Fprintf(s.err, "rdmacap: %s\n", b)
}
