package query

import (
	"regexp"
	"strings"
	"testing"
)

// TestTsharkNamesAreOurs: each name of Wireshark's stands once, and is at each level
// what our field is there; at a level without the field, or where there is none, the
// error says what to write instead.
func TestTsharkNamesAreOurs(t *testing.T) {
	s := newSets(t)
	seen := make(map[string]bool)
	for _, n := range append(tsharkNames(), otherMeanings()...) {
		if seen[n.name] {
			t.Errorf("%s stands twice", n.name)
		}
		seen[n.name] = true
		found := 0
		for l := range levels {
			i, ok := s.Set(l).Lookup(n.name)
			j, has := s.Set(l).Lookup(n.ours)
			if ok != has || i != j {
				t.Errorf("%s of %s: found %v, %s %v", n.name, words[l].rows, ok, n.ours, has)
			}
			if ok {
				found++
			} else if s.elsewhere(l, n.name) == "" {
				t.Errorf("%s of %s: nothing says what to write instead", n.name, words[l].rows)
			}
		}
		if found == 0 != (n.ours == "") || found == 0 && n.hint == "" {
			t.Errorf("%s: %d levels have %q, and the hint is %q", n.name, found, n.ours, n.hint)
		}
	}
}

// TestTsharkHintsNameFields: what looks like a field in a hint is one.
func TestTsharkHintsNameFields(t *testing.T) {
	s := newSets(t)
	field := regexp.MustCompile(`[a-z][a-z0-9_]*(\.[a-z0-9_]+)+(\.…)?`)
	quoted := regexp.MustCompile("\"[^\"]*\"|Wireshark's `[^`]*`") // no names of ours
	for _, n := range append(tsharkNames(), otherMeanings()...) {
		for _, name := range field.FindAllString(quoted.ReplaceAllString(n.hint, ""), -1) {
			prefix, whole := strings.CutSuffix(name, "…")
			known := false
			for l := range levels {
				for _, f := range s.Fields(l) {
					known = known || f.Name == name || whole && strings.HasPrefix(f.Name, prefix)
				}
			}
			if !known {
				t.Errorf("%s: %s in the hint is no field", n.name, name)
			}
		}
	}
}

// TestTsharkExpressions: expressions as users of tshark write them, and what is reported of
// those that are of another level, or of none.
func TestTsharkExpressions(t *testing.T) {
	s := newSets(t)
	for expr, l := range map[string]Level{
		"rpc.time > 0.01 and nfs.opcode == 25":           RPCs,
		"rpc.time > 10ms or nfs.opcode == READ":          RPCs,
		"rpc.programversion == 4 && rpc.auth.uid == 0":   RPCs,
		"nfs.fattr4.lease_time == 90":                    RPCs,
		"ip.src == 192.0.2.1 and ip.dst == 192.0.2.0/24": RPCs,
		"rpcordma.xid == 0xb82d105d":                     Messages,
		"rpc.msgtyp == 0 and rpc.xid == b82d105d":        Messages,
		"tcp.port == 20049 and client == 192.0.2.1":      Messages,
		"infiniband.bth.opcode == 4":                     Frames,
		"Infiniband.BTH.PSN == 4 and udp.port == 4791":   Frames,
		"frame.time_epoch >= 1769871845.25":              Frames,
		"rpc.msgtyp == REPLY and server == 192.0.2.1":    Frames,
		"iwarp_rdma.opcode == 3 && tcp.flags.push == 1":  Frames,
	} {
		if _, err := s.Compile(l, expr); err != nil {
			t.Errorf("%s: %v", words[l].rows, err)
		}
		if c, err := s.Columns(l, strings.Fields(expr)[0]); err != nil || c.Fields()[0].Name == "" {
			t.Errorf("column of %s: %v", words[l].rows, err)
		}
	}
	for expr, want := range map[string]string{
		"infiniband.bth.psn == 4":       "add --level frame",
		"rpc.msgtyp == 0":               "direction is that of the call",
		"udp.port == 4791":              "the port of the IP CM service",
		"nfs.nfsstat4 == 2":             "write nfs.status",
		"rpc.timee > 1s":                "did you mean rpc.time?",
		"tcp.analysis.flags":            "frame.note",
		"rpc.xid == 01234567":           "write 0x01234567 if it is hexadecimal",
		"nfs.fh in {0x62d40c52, 00:01}": "write two sets",
	} {
		if _, err := s.Compile(RPCs, expr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one with %q", expr, err, want)
		}
	}
}
