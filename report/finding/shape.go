package finding

import (
	"fmt"
	"strings"
)

// shapeOf is what a finding and those that it explains say, without their numbers: what is the
// same in two is reported once.
func shapeOf(f *Finding) string {
	var b strings.Builder
	Walk([]*Finding{f}, func(x *Finding) {
		fmt.Fprintf(&b, "%s %d %t %t ", x.ID(), x.Severity, x.Doubt == "", x.Connection == nil)
		digits := false
		for _, r := range x.Message {
			digit := r >= '0' && r <= '9' || digits && strings.ContainsRune("abcdefx.,", r)
			if !digit {
				b.WriteRune(r)
			} else if !digits {
				b.WriteByte('0')
			}
			digits = digit
		}
		b.WriteByte('\n')
	})
	text := b.String()
	for _, unit := range []string{" ns", " µs", " ms"} {
		text = strings.ReplaceAll(text, "0"+unit, "0 s")
	}
	return text
}

// onPath reports whether a finding, or one that it explains, reports the path.
func onPath(f *Finding) (tells bool) {
	Walk([]*Finding{f}, func(x *Finding) { tells = tells || x.Path != nil })
	return tells
}
