package query

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
)

// TestMembersNameFields holds that what a member names as the field that asks for the same is one.
func TestMembersNameFields(t *testing.T) {
	sets := newSets(t)
	hold := func(l Level, member *Field) {
		if asked := member.Member.Asked; asked != "" {
			if _, ok := sets.Set(l).Lookup(asked); !ok {
				t.Errorf("member %s of %s: there is no field %s", member.Member.Name, words[l].rows, asked)
			}
		}
	}
	for _, m := range RPCMembers() {
		hold(RPCs, &m.Field)
	}
	for _, m := range MessageMembers() {
		hold(Messages, &m.Field)
	}
	for _, m := range FrameMembers() {
		hold(Frames, &m.Field)
	}
}

// TestPacketMembersAreFields holds that a number that a record reads from the decoded packet is what
// the table of the header finds in its bytes.
func TestPacketMembersAreFields(t *testing.T) {
	all := frames(new(Start), new(Parts))
	members := membersOf(all)
	fields := make(map[string]entry[*dissect.FrameView])
	for _, e := range all {
		fields[e.Name] = e
	}
	held := make(map[string]int)
	var member, field filter.Shown
	for _, path := range samples(t) {
		n := 0
		read(t, path, &told{frame: func(v *dissect.FrameView) {
			if n++; n > 4*framesTried {
				return
			}
			for i := 0; i < len(members); i++ {
				m := &members[i]
				if is, pass := m.Gate(v); is {
					i += pass
					continue
				}
				if m.Member.Asked == "" || m.Structured() || m.Kind == filter.String {
					continue
				}
				number, _, ok := m.Value(v, &member)
				fields[m.Member.Asked].give(v, field.Of())
				if len(field.List) == 0 {
					continue // the header is cut
				}
				if held[m.Member.Asked]++; !ok || number != field.List[0].Number {
					t.Errorf("%s frame %d: %s is %d, the record has %d", path, v.Frame.Number, m.Member.Asked, field.List[0].Number, number)
				}
			}
		}})
	}
	for _, asked := range []string{"bth.destqp", "bth.psn", "bth.ackreq", "reth.rkey", "reth.va", "reth.dmalen", "aeth.msn", "ieth.rkey",
		"tcp.srcport", "tcp.dstport", "tcp.seq", "tcp.ack"} {
		if held[asked] < 10 {
			t.Errorf("%s was held %d times", asked, held[asked])
		}
	}
}
