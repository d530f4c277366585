package responder

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// A Plan is what a Server is going to do.
type Plan struct {
	// Calls is how many calls of the capture it can answer, Kinds how many of each name, and
	// Backward how many it makes itself.
	Calls        int          `json:"calls"`
	Kinds        []NamedCount `json:"kinds"`
	ReverseCalls int          `json:"backward"`
	// Unanswered is how many of the calls have no reply in the capture.
	Unanswered int `json:"unanswered"`
	// Receives is how many are published, ReceiveSize their bytes.
	Receives    int `json:"receives"`
	ReceiveSize int `json:"receive_size"`
	// PrivateData are those of the captured server, or what stands for them, in hexadecimal.
	PrivateData string `json:"private_data"`
	// Mount says that a client has to get the root's handle by the MOUNT protocol.
	Mount bool `json:"mount"`
	// Lacks says what cannot be reproduced.
	Lacks []string `json:"lacks"`
	// Others are the connections of the capture that are left out.
	Others []script.Other `json:"other_connections"`

	leftOut string // the same for a person
}

// Plan says what the Server is going to do.
func (s *Server) Plan() *Plan {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &Plan{
		Calls: len(s.matcher.entries), ReverseCalls: len(s.reverseCalls), Receives: s.receives, ReceiveSize: s.receive,
		PrivateData: hex.EncodeToString(s.private), Mount: s.matcher.root != "", Lacks: s.lacks,
		Others: append([]script.Other{}, s.others...), leftOut: s.leftOut,
	}
	for _, e := range s.matcher.entries {
		p.Kinds = add(p.Kinds, e.name)
		if e.call.Reply == nil {
			p.Unanswered++
		}
	}
	return p
}

// lacks is what of a conversation cannot be reproduced.
func lacks(c *script.Conversation) []string {
	list := append([]string(nil), c.Lacks...)
	list = append(list, "PSNs, MSNs, ICRCs, CRCs, markers, retransmissions and RNR times are the device's")
	return append(list, c.Device...)
}

// WriteText writes the plan for a person.
func (p *Plan) WriteText(w io.Writer, at string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "playing the captured server at %s: it answers %d calls and makes %d itself\n", at, p.Calls, p.ReverseCalls)
	fmt.Fprintf(&b, "private data %s; %d Receives of %d bytes\n", p.PrivateData, p.Receives, p.ReceiveSize)
	b.WriteString(p.leftOut)
	if p.Mount {
		b.WriteString("clients get the handle of the root from a MOUNT server over TCP: the first handle that is not in the capture is used for it\n")
	}
	b.WriteString("calls that it answers:\n")
	for _, k := range p.Kinds {
		fmt.Fprintf(&b, "  %6d %s\n", k.Count, k.Name)
	}
	b.WriteString("what cannot be reproduced:\n")
	for _, line := range p.Lacks {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	if p.Unanswered > 0 {
		b.WriteString("  calls without a reply in the capture get none\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
