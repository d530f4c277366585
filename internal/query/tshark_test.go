package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
)

// wider are names whose field of ours has values in further frames or RPCs: the values
// that tshark has select the same ones, but not the field by itself.
var wider = [...]string{
	"ip.addr", "ip.src", "ip.dst", // of IPv6 too
	"infiniband.invariant.crc",                                                // also after what is malformed to tshark
	"infiniband.cm.req.prim_localgid", "infiniband.cm.req.prim_localgid_ipv4", // one field for both kinds
	"infiniband.cm.req.prim_remotegid", "infiniband.cm.req.prim_remotegid_ipv4",
	"infiniband.cm.req.ip_cm.sip4", "infiniband.cm.req.ip_cm.dip4",
	"infiniband.cm.req.ip_cm.sip6", "infiniband.cm.req.ip_cm.dip6",
	"iwarp_rdma.inval_stag", // in every untagged header
}

// A comparison is of what tshark says with what we say.
type comparison struct {
	names   []compared
	has     []map[string]bool // values that tshark has of each name, in a file
	values  []int             // how many values it has of each name
	differs []int             // how often that is another than ours
	rows    [levels]int
}

// TestTsharkNamesMeanTheSame compares, where tshark is installed, what it says that each
// frame and RPC of real captures has of a name with what we say of it.
func TestTsharkNamesMeanTheSame(t *testing.T) {
	t.Parallel()
	known, s := tsharkFields(t), newSets(t)
	all := append(tsharkNames(), otherMeanings()...)
	c := &comparison{names: append(comparedNames(s, Frames, all, known), comparedNames(s, RPCs, all, known)...)}
	c.values, c.differs = make([]int, len(c.names)), make([]int, len(c.names))
	samples := []string{"rxe-cb", "rxe-krb", "rxe-ipv6", "rxe-acl", "siw-cb", "siw-perftest"}
	if long.Tests {
		samples = append(samples, "rxe-loss", "rxe-basic", "siw-basic")
	}
	for _, sample := range samples {
		c.file(t, s, unpackedSample(t, sample))
	}
	c.file(t, s, builtCapture(t))
	values, names := 0, 0
	var unseen []string // the test says nothing of them
	others := make(map[string]bool)
	for _, n := range otherMeanings() {
		others[n.name] = true
	}
	for i, n := range c.names {
		values += c.values[i]
		if c.values[i] > 0 {
			names++
		} else {
			unseen = append(unseen, n.name+" of "+words[n.level].rows)
		}
		if c.differs[i] > 0 != others[n.name] {
			t.Errorf("%s of %s: %d rows are not as tshark's; it is said to be of another meaning: %v", n.name, words[n.level].rows, c.differs[i], others[n.name])
		}
	}
	if names < 200 || values < 500_000 { // less would show little
		t.Errorf("tshark has %d values of %d names", values, names)
	}
	t.Logf("in no frame: %v", unseen)
	t.Logf("%d names of frames and RPCs with %d values in %d frames and %d RPCs", names, values, c.rows[Frames], c.rows[RPCs])
}

// file compares what is in a file.
func (c *comparison) file(t *testing.T, s *Sets, from captureFile) {
	theirs := tsharkCells(t, from, c.names)
	frames, rpcs := ourRows(t, s, from, c.names)
	if len(theirs) != len(frames) {
		t.Fatalf("%s: tshark has %d frames, we have %d", from.name, len(theirs), len(frames))
	}
	c.has = make([]map[string]bool, len(c.names))
	for k := range c.names {
		c.has[k] = make(map[string]bool)
		for i := range theirs {
			for _, v := range theirs[i][k] {
				c.has[k][v] = true
			}
		}
	}
	column := func(name string) int {
		return slices.IndexFunc(c.names, func(n compared) bool { return n.name == name })
	}
	xid, transport := column("rpc.xid"), column("rpcordma.xid")
	for i := range frames {
		c.rows[Frames]++
		inline := frames[i].inline && theirs[i][transport] != nil
		for k, n := range c.names {
			if n.level == Frames && frames[i].comparable(n.name, inline) {
				c.compare(t, fmt.Sprintf("%s, frame %d", from.name, i+1), k, frames[i].cells[k], theirs[i][k])
			}
		}
	}
	for i := range rpcs {
		r := &rpcs[i]
		var parts []int // frames that are its call or its reply to tshark
		for _, f := range r.frames {
			if x := theirs[f][xid]; len(x) == 1 && x[0] == r.xid {
				parts = append(parts, f)
			}
		}
		if len(parts) != 2 {
			continue
		}
		c.rows[RPCs]++
		for k, n := range c.names {
			// Others have a meaning of their own of an RPC: its call's, or its frames'.
			ofRPC := strings.HasPrefix(n.name, "rpc.") || strings.HasPrefix(n.name, "nfs.") || strings.HasPrefix(n.name, "rpcordma.") && r.inline
			if n.level == RPCs && ofRPC && r.comparable(n.name, r.inline) {
				them := slices.Concat(theirs[parts[0]][k], theirs[parts[1]][k])
				c.compare(t, fmt.Sprintf("%s, frames %d and %d", from.name, parts[0]+1, parts[1]+1), k, r.cells[k], unique(them))
			}
		}
	}
}

// comparable reports whether a name means the same of such a row. In a frame that is a
// retransmission, say, tshark has the message again. It has the RPC of a message with Read
// chunks, or of a long one, where it has read the chunks, and so later than we do.
func (r *row) comparable(name string, inline bool) bool {
	upper := strings.HasPrefix(name, "iwarp_") || strings.HasPrefix(name, "rpc")
	switch {
	case r.noted && upper:
		return false
	case name == "rpc.xid" || name == "rpc.msgtyp" || name == "rpc.time":
		return inline
	case name == "rpcordma.writes_count" || name == "rpcordma.reply_count": // an RDMA_ERROR counts as none here
		return !r.refusal
	case name == "nfs.opcode": // tshark's are also those in the arguments of EXCHANGE_ID
		return !r.exchangeID
	case strings.HasPrefix(name, "nfs.stateid."): // tshark leaves out that of the result of CLOSE
		return !r.closes
	}
	return true
}

func (c *comparison) compare(t *testing.T, where string, k int, us, them []string) {
	n := &c.names[k]
	if slices.Contains(wider[:], n.name) {
		us = slices.DeleteFunc(slices.Clone(us), func(v string) bool { return !c.has[k][v] })
	}
	c.values[k] += len(them)
	if slices.Equal(us, them) {
		return
	}
	if c.differs[k]++; c.differs[k] <= 2 {
		t.Logf("%s: %s is %q to tshark, %q to us", where, n.name, them, us)
	}
}
