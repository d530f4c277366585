package requester

import (
	"encoding/hex"
	"io"
	"slices"

	"github.com/rdmacap/rdmacap/internal/replay/bind"
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
	Again       int            `json:"retransmissions,omitempty"`
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
	Connections []any          `json:"other_connections"`
	Lacks       []string       `json:"cannot_be_reproduced"`
}

type effectRecord struct {
	Effect string `json:"effect"` // "reads", "state", "changes"
	By     string `json:"by"`
	Calls  int    `json:"calls"`
	Bytes  uint64 `json:"read_chunk_bytes"`
}

// WriteJSON writes a record "replay_plan" for each connection, with array in an array.
func (t *Together) WriteJSON(w io.Writer, array bool, to string) error {
	var records []any
	for i, p := range t.Plans {
		var left []any
		if i == 0 {
			left = t.left()
		}
		records = append(records, p.record(to, left))
	}
	return writeRecords(w, records, array)
}

// left are the connections that are left out: others of the capture, and others than all of it with the reason.
func (t *Together) left() (list []any) {
	for _, o := range t.Plans[0].Conversation.Others {
		list = append(list, o)
	}
	for _, o := range t.Left {
		list = append(list, o)
	}
	return list
}

func (p *Plan) record(to string, left []any) any {
	c := p.Conversation
	r := planRecord{
		Type: "replay_plan", Connection: c.ID, Client: c.Client.Addr.String(), Server: c.Server.Addr.String(), To: to,
		Calls: p.Calls, Left: p.Left, Again: p.Retransmissions, Others: p.Others, Most: p.Most, Span: int64(p.Span), PrivateData: hex.EncodeToString(p.PrivateData),
		Segments: p.Segments, Registered: p.Registered, MadeUp: p.MadeUp, Effects: []effectRecord{},
		Faults: append([]string{}, p.Faults...), Connections: append([]any{}, left...),
		Lacks: slices.Concat([]string{}, c.Lacks, p.Skipped, p.Unbound),
	}
	for _, c := range append(append([]bind.Own{}, p.Own.Before...), p.Own.After...) {
		r.Own = append(r.Own, c.What)
	}
	r.Assumed = p.Own.Assumed
	for _, x := range p.Effects {
		r.Effects = append(r.Effects, effectRecord{x.Effect.String(), x.By, x.Calls, x.Bytes})
	}
	return r
}
