package verbatim

import (
	"fmt"
	"io"
	"strings"

	"github.com/rdmacap/rdmacap/internal/replay/effect"
)

// WriteText writes the plan for a person.
func (p *Plan) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "the %v's side: %d Sends, %d RDMA Reads and Writes, as the other side's %d Sends come; private data %s\n", p.End, p.Messages, p.Operations, p.Expected, p.Private)
	b.WriteString(p.leftOut)
	if list := p.Effects.Of(effect.Changes); len(list) > 0 {
		b.WriteString(effect.Changes.Heading() + "\n")
		for _, n := range list {
			fmt.Fprintf(&b, "  %6d %s\n", n.Calls, n.By)
		}
	}
	b.WriteString("what cannot be reproduced:\n  handles and offsets differ\n")
	for _, line := range p.Lacks {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteText writes the result for a person.
func (r *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "the %v's side: %d Sends, %d RDMA Reads and Writes; %d messages received, %d of them different from the captured ones\n", r.End, r.Sent, r.Moved, r.Received, r.Other)
	if r.Ended != "" {
		fmt.Fprintf(&b, "it did not complete: %s\n", r.Ended)
	}
	for _, n := range r.Notes {
		fmt.Fprintln(&b, n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
