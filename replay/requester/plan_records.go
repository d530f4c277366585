package requester

import (
	"encoding/hex"
	"io"
	"slices"

	"github.com/rdmacap/rdmacap/replay/bind"
	"github.com/rdmacap/rdmacap/replay/script"
)

// planRecord is what --dry-run says as JSON.
type planRecord struct {
	Type        string         `json:"type"`
	Connection  int            `json:"connection"`
	Client      string         `json:"client"`
	Server      string         `json:"server"`
	To          string         `json:"to"`
	Calls       int            `json:"calls"`
	Left        int            `json:"left_out"`
	Others      int            `json:"other_messages"`
	Most        int            `json:"most_open"`
	Span        int64          `json:"captured_ns"`
	PrivateData string         `json:"private_data"`
	Segments    int            `json:"segments"`
	Registered  uint64         `json:"registered_bytes"`
	MadeUp      uint64         `json:"made_up_bytes"`
	Faults      []string       `json:"faults"`
	Own         []string       `json:"own_calls,omitempty"`
	Assumed     []string       `json:"assumed,omitempty"`
	Effects     []effectRecord `json:"effects"`
	Connections []script.Other `json:"other_connections"`
	Lacks       []string       `json:"cannot_be_reproduced"`
}

type effectRecord struct {
	Effect string `json:"effect"` // "reads", "state", "changes"
	By     string `json:"by"`
	Calls  int    `json:"calls"`
	Octets uint64 `json:"read_chunk_bytes"`
}

// WriteJSON writes the plan as a record "replay_plan", with array in an array.
func (p *Plan) WriteJSON(w io.Writer, array bool, to string) error {
	c := p.Conversation
	r := planRecord{
		Type: "replay_plan", Connection: c.ID, Client: c.Client.Addr.String(), Server: c.Server.Addr.String(), To: to,
		Calls: p.Calls, Left: p.Left, Others: p.Others, Most: p.Most, Span: int64(p.Span), PrivateData: hex.EncodeToString(p.PrivateData),
		Segments: p.Segments, Registered: p.Registered, MadeUp: p.MadeUp, Effects: []effectRecord{},
		Faults: append([]string{}, p.Faults...), Connections: append([]script.Other{}, c.Others...),
		Lacks: slices.Concat([]string{}, c.Lacks, p.Skipped, p.Unbound),
	}
	for _, c := range append(append([]bind.Own{}, p.Own.Before...), p.Own.After...) {
		r.Own = append(r.Own, c.What)
	}
	r.Assumed = p.Own.Assumed
	for _, x := range p.Effects {
		r.Effects = append(r.Effects, effectRecord{x.Effect.String(), x.By, x.Calls, x.Octets})
	}
	return writeRecords(w, []any{r}, array)
}
