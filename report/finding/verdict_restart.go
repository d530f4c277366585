package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/capture/link"
)

// A restart is that of a server's NFS service, as its clients saw it: what they met one after the other has one cause.
//
//	server leaves ──> connections rejected ──> state gone, or grace ──> work goes on
type restart struct {
	server link.Addr
	cases  []*oneCase // in the order of their time
}

// soon is how long after one sign of a restart the next one may come, in nanoseconds: servers have a grace time of 90 seconds.
const soon = 120e9

// A sign is what a case is to a restart.
type sign uint8

const (
	noSign  sign = iota
	leaves       // the server ended the connection
	rejects      // it took no new one
	forgets      // it refused an operation, since it is in grace or does not know the client any more
	follows      // what comes with it
)

// signOf is what a case may be.
func signOf(x *oneCase) sign {
	switch {
	case x.id == "SYM-009" && x.fault == server:
		return leaves
	case x.id == "SYM-004" && x.fault == server:
		return rejects
	case x.id == "SYM-003" && slices.Contains([]string{"NFS4ERR_GRACE", "NFS4ERR_STALE_CLIENTID", "NFS4ERR_STALE_STATEID", "NFS4ERR_BADSESSION"}, x.status):
		return forgets
	case slices.Contains([]string{"SYM-001", "SYM-006", "SYM-009a", "SYM-009b", "SYM-010", "RPC-001", "RPC-004"}, x.id):
		return follows
	}
	return noSign
}

// restarts are those that cases report, which are in the order of their time, and the cases that are left. One is
// known by a server that forgot its clients, and by another sign before that: what comes after it is no part of it.
func restarts(list []*oneCase) (found []*restart, left []*oneCase) {
	for _, x := range list {
		if signOf(x) == noSign {
			continue
		}
		i := slices.IndexFunc(found, func(r *restart) bool { return r.server == x.server && x.first.Time <= r.last()+soon })
		if i < 0 {
			found = append(found, &restart{server: x.server, cases: []*oneCase{x}})
		} else {
			found[i].cases = append(found[i].cases, x)
		}
	}
	found = slices.DeleteFunc(found, func(r *restart) bool { return !r.certain() })
	for _, x := range list {
		if !slices.ContainsFunc(found, func(r *restart) bool { return slices.Contains(r.cases, x) }) {
			left = append(left, x)
		}
	}
	return found, left
}

func (r *restart) certain() bool {
	left := slices.IndexFunc(r.cases, func(x *oneCase) bool { return signOf(x) == leaves || signOf(x) == rejects })
	return left >= 0 && slices.ContainsFunc(r.cases[left:], func(x *oneCase) bool { return signOf(x) == forgets })
}

// last is when it showed last, in nanoseconds since 1970.
func (r *restart) last() (at int64) {
	for _, x := range r.cases {
		at = max(at, x.first.Time, x.last)
	}
	return at
}

func (r *restart) weight() (w int) {
	for _, x := range r.cases {
		w = max(w, x.weight())
	}
	return w + 1 // the root of them
}

// headline says what the clients saw.
func (r *restart) headline(several bool) string {
	var parts []string
	for _, x := range r.cases {
		at := fmt.Sprintf(" (%s: frame\u00a0%s)", x.id, x.first.Ref.Name(several))
		switch signOf(x) {
		case leaves:
			parts = append(parts, "it ended "+some(x.connections, "the connection", "connections")+at)
		case rejects:
			parts = append(parts, "it rejected "+some(x.connections, "a new one", "new ones")+at)
		case forgets:
			said, _, _ := strings.Cut(x.message, ": ")
			parts = append(parts, said+at)
		}
	}
	return fmt.Sprintf("The NFS service of the server %s was restarted, or another took its place: %s.", r.server, and(parts))
}

// some is what one thing is called, or how many there are.
func some(n int64, one, many string) string {
	if n < 2 {
		return one
	}
	return count(n) + "\u00a0" + many
}

// whole is all that is reported of it.
func (r *restart) whole(several bool) []string {
	return []string{
		r.headline(several),
		fmt.Sprintf("It took %s from first sign to last.", duration(r.last()-r.cases[0].first.Time)),
		"Find out from its log why it was restarted, and by whom. The grace period ends by itself, sooner if the server is configured with a shorter one.",
	}
}
