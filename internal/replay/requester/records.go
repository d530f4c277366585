package requester

import (
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"time"
)

// WriteJSON writes results as records, one a line, or with array as one array: of each connection a record
// "replay" that says what was done, a "replay_call" for each call, and a "replay_summary".
func WriteJSON(w io.Writer, array bool, results ...*Result) error {
	var records []any
	for _, r := range results {
		records = append(records, r.record())
		for i, e := range r.Exchanges {
			records = append(records, e.record(i+1, r.Connection))
		}
		records = append(records, r.summary())
	}
	return writeRecords(w, records, array)
}

// writeRecords writes records as lines, or as one array.
func writeRecords(w io.Writer, records []any, array bool) error {
	if array {
		b, err := json.Marshal(records)
		if err != nil {
			return err
		}
		_, err = w.Write(append(b, '\n'))
		return err
	}
	for _, x := range records {
		b, err := json.Marshal(x)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// replayRecord is the first record.
type replayRecord struct {
	Type         string `json:"type"`
	Connection   int    `json:"connection,omitempty"`
	Device       string `json:"device"`
	IWARP        bool   `json:"iwarp"`
	Local        string `json:"local"`
	Server       string `json:"server"`
	Invalidation string `json:"remote_invalidation"` // "windows", "registration", "none"
	Cleared      bool   `json:"r_cleared"`
	// Of a capture that begins late.
	Own     []own    `json:"own_calls,omitempty"`
	Assumed []string `json:"assumed,omitempty"`
	Lacking []string `json:"lacking,omitempty"`
}

// own is a call of the replay's own.
type own struct {
	What   string `json:"what"`
	Status string `json:"status"`
}

func (r *Result) record() any {
	var list []own
	for _, c := range r.Own {
		list = append(list, own{c.What, c.Status})
	}
	return replayRecord{
		"replay", r.Connection, r.Device.Name, r.Device.IWARP, endText(r.Local), endText(r.Peer),
		[...]string{"none", "windows", "registration"}[r.Way], r.Cleared, list, r.Assumed, r.Lacking,
	}
}

// endText is an end, "" of a connection that could not be made.
func endText(a netip.AddrPort) string {
	if !a.IsValid() {
		return ""
	}
	return a.String()
}

// callRecord is a call of the replay.
type callRecord struct {
	Type        string             `json:"type"`
	Connection  int                `json:"connection,omitempty"`
	Call        int                `json:"call"`
	Frame       int64              `json:"frame"`
	XID         string             `json:"captured_xid"`
	LiveXID     *string            `json:"xid"`
	Name        string             `json:"name"`
	Outcome     string             `json:"outcome"` // "answered", "no reply", "not sent"
	Why         string             `json:"why,omitempty"`
	Status      string             `json:"status"`
	Captured    string             `json:"captured_status"`
	Differences []differenceRecord `json:"differences"`
	More        int                `json:"more_differences,omitempty"`
	Latency     *int64             `json:"latency_ns"`
	WasLatency  *int64             `json:"captured_latency_ns"`
	Retries     int                `json:"retries"`
	MadeUp      uint64             `json:"made_up_bytes"`
	Again       bool               `json:"retransmission,omitempty"`
	Closed      bool               `json:"closed_as_captured,omitempty"`
	Notes       []string           `json:"notes,omitempty"`
	Unbound     []unboundRecord    `json:"unbound,omitempty"`
}

type differenceRecord struct {
	What     string `json:"what"`
	Field    string `json:"field,omitempty"`
	Captured string `json:"captured"`
	Live     string `json:"live"`
}

type unboundRecord struct {
	Kind   string `json:"kind"`
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

func (e *Exchange) record(number, connection int) any {
	r := callRecord{
		Type: "replay_call", Connection: connection, Call: number, Frame: e.Call.Request.Frame.Number, XID: fmt.Sprintf("0x%08x", e.Call.XID),
		Name: e.Call.Name, Outcome: e.Outcome.String(), Why: e.Why, Status: e.Status, Captured: answerOf(e.Call),
		Differences: []differenceRecord{}, More: e.More, Retries: e.Retries, MadeUp: e.MadeUp, Notes: e.Notes,
		Again: e.Retransmission, Closed: e.Closed,
	}
	for _, d := range e.Differences {
		r.Differences = append(r.Differences, differenceRecord(d))
	}
	for _, u := range e.Unbound {
		r.Unbound = append(r.Unbound, unboundRecord{u.Kind, u.Field, u.Reason})
	}
	if e.Outcome != NotSent {
		xid := fmt.Sprintf("0x%08x", e.XID)
		r.LiveXID = &xid
	}
	if e.Outcome == Answered {
		ns := int64(e.Latency)
		r.Latency = &ns
	}
	if ns, ok := e.Call.Latency(); ok {
		r.WasLatency = &ns
	}
	return r
}

// summaryRecord is the last record.
type summaryRecord struct {
	Type         string  `json:"type"`
	Connection   int     `json:"connection,omitempty"`
	Calls        int     `json:"calls"`
	Answered     int     `json:"answered"`
	NoReply      int     `json:"no_reply"`
	NotSent      int     `json:"not_sent"`
	Differ       int     `json:"differ"`
	Retried      int     `json:"retried"`
	ReverseCalls int     `json:"backward_calls"`
	Open         int     `json:"most_open"`
	Grant        uint32  `json:"credits_granted"`
	Elapsed      int64   `json:"elapsed_ns"`
	Waited       int64   `json:"waited_ns"`
	Ended        *string `json:"ended"`
	Same         bool    `json:"same"`
	Registered   int64   `json:"most_registered_bytes"`
}

func (r *Result) summary() any {
	n := r.Counts()
	s := summaryRecord{
		"replay_summary", r.Connection, n.Calls, n.Answered, n.NoReply, n.NotSent, n.Differ, n.Retried, len(r.ReverseCalls), r.Open, r.Grant,
		int64(r.Elapsed / time.Nanosecond), int64(r.Waited), nil, r.Same(), r.Registered,
	}
	if r.Ended != nil {
		why := r.Ended.Error()
		s.Ended = &why
	}
	return s
}
