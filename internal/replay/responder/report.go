package responder

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Report says what a Server has done. Bytes are those of file data and other chunks.
type Report struct {
	Connections int `json:"connections"`
	// Refused is how many connections a limit kept out, Idle how many were closed since their
	// client sent nothing, and OverLimit how many calls got ERR_CHUNK since a limit left no room.
	Refused   int `json:"refused_connections"`
	Idle      int `json:"idle_connections"`
	OverLimit int `json:"over_limit"`
	// Captured is how many calls the capture has, Unused how many of them nobody made.
	Captured int `json:"captured"`
	Unused   int `json:"unused"`
	// Calls is how many the clients made: Again of them that were made before, Near those
	// that differ from the captured one by a number, and Unmatched those that match none.
	Calls     int          `json:"calls"`
	Again     int          `json:"again"`
	Near      []NamedCount `json:"near,omitempty"`
	Unmatched []NamedCount `json:"unmatched,omitempty"`
	// Own is how many calls were answered without the capture: NULL and renewals of a lease
	// that it does not have, or not as often, and those that came again.
	Own int `json:"own"`
	// OtherData is how many calls had other data in their Read chunks than the captured ones.
	OtherData int `json:"other_data"`
	// Adapted is how many replies were conveyed in other chunks than captured, NoRoom how
	// many of them had no room there and became ERR_CHUNK.
	Adapted int `json:"adapted"`
	NoRoom  int `json:"no_room"`
	// Reads and Writes are RDMA operations, Pulled and Pushed their bytes; MadeUp is how
	// many of the latter the capture lacks.
	Reads  int   `json:"reads"`
	Writes int   `json:"writes"`
	Pulled int64 `json:"pulled_bytes"`
	Pushed int64 `json:"pushed_bytes"`
	MadeUp int64 `json:"made_up_bytes"`
	// Invalidated is how many replies went by Send With Invalidate, NotInvalidated how many
	// did in the capture only: the live client did not allow it.
	Invalidated    int `json:"invalidated"`
	NotInvalidated int `json:"not_invalidated"`
	// ReverseCalls is how many reverse-direction calls were sent, ReverseAnswered how many of them the
	// client answered.
	ReverseCalls    int `json:"backward"`
	ReverseAnswered int `json:"backward_answered"`
	// Notes are what a person should know, MoreNotes how many are left out.
	Notes     []string `json:"notes,omitempty"`
	MoreNotes int      `json:"more_notes,omitempty"`
}

// A NamedCount counts calls by name.
type NamedCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// The most lines that a report keeps of each kind.
const mostLines = 200

func add(list []NamedCount, name string) []NamedCount {
	for i := range list {
		if list[i].Name == name {
			list[i].Count++
			return list
		}
	}
	if len(list) == mostLines {
		name = "others"
		list = list[:mostLines-1]
	}
	return append(list, NamedCount{name, 1})
}

func (r *Report) near(name string)      { r.Near = add(r.Near, name) }
func (r *Report) unmatched(name string) { r.Unmatched = add(r.Unmatched, name) }

func (r *Report) note(line string) {
	if len(r.Notes) == mostLines {
		r.MoreNotes++
		return
	}
	r.Notes = append(r.Notes, line)
}

func (r *Report) clone() *Report {
	c := *r
	c.Near, c.Unmatched, c.Notes = slices.Clone(r.Near), slices.Clone(r.Unmatched), slices.Clone(r.Notes)
	return &c
}

// UnmatchedCalls is how many calls matched none.
func (r *Report) UnmatchedCalls() int { return total(r.Unmatched) }

func total(list []NamedCount) (n int) {
	for _, c := range list {
		n += c.Count
	}
	return n
}

// WriteText writes the report for a person.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d connections, %d calls: %d as captured, %d that differ in a number, %d without a match\n",
		r.Connections, r.Calls, r.Calls-r.Own-total(r.Near)-total(r.Unmatched), total(r.Near), total(r.Unmatched))
	fmt.Fprintf(&b, "%d calls were repeated; %d of the capture's %d were not made\n", r.Again, r.Unused, r.Captured)
	fmt.Fprintf(&b, "%d RDMA Reads of %d bytes, %d RDMA Writes of %d bytes; %d replies by Send With Invalidate\n", r.Reads, r.Pulled, r.Writes, r.Pushed, r.Invalidated)
	for _, line := range []struct {
		n    int64
		text string
	}{
		{int64(r.Refused), "connections refused by a limit"},
		{int64(r.Idle), "connections closed because their client sent nothing"},
		{int64(r.OverLimit), "calls refused with ERR_CHUNK because they need more than a limit allows"},
		{int64(r.Own), "NULL calls, and calls that renew a lease, answered without the capture"},
		{int64(r.OtherData), "calls whose Read chunks had other data than captured"},
		{int64(r.Adapted), "replies sent in other chunks than captured"},
		{int64(r.NoRoom), "of them without room for the result: ERR_CHUNK"},
		{r.MadeUp, "bytes that the capture lacks, sent as zeros"},
		{int64(r.NotInvalidated), "replies sent without the captured invalidation, which the client does not allow"},
		{int64(r.ReverseCalls), fmt.Sprintf("calls in the reverse direction, %d of them answered", r.ReverseAnswered)},
	} {
		if line.n > 0 {
			fmt.Fprintf(&b, "%d %s\n", line.n, line.text)
		}
	}
	for _, list := range []struct {
		title string
		calls []NamedCount
	}{{"differ by a number", r.Near}, {"match none", r.Unmatched}} {
		for _, c := range list.calls {
			fmt.Fprintf(&b, "%s: %d × %s\n", list.title, c.Count, c.Name)
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintln(&b, n)
	}
	if r.MoreNotes > 0 {
		fmt.Fprintf(&b, "%d more\n", r.MoreNotes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
