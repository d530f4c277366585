package requests_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

// refused plays a scene and returns what was refused of it.
func refused(t *testing.T, text string, over scene.Transport) (list []requests.Request, why []requests.Refusal) {
	t.Helper()
	frames := ruletest.Frames(t, text, over)
	ruletest.Check(t, []*rules.Rule{{Rule: finding.Rule{ID: "T-001"}, Check: rules.Check{Needs: []rules.Knowledge{requests.Knowledge()}, On: []rules.Event{
		requests.OnRefusal(func(_ *rules.Conn, r *requests.Refusal, _ rules.Reporter) {
			list, why = append(list, *r.Sent), append(why, *r)
		}),
	}}}}, frames)
	return list, why
}

const two = `
connect pmtu=256
call 1 NFS3 NULL
reply 1
call 2 NFS3 WRITE data=bytes(1000) count=1000
    noack
call 3 NFS3 NULL
    noack
`

// The WRITE has 5 packets, and the NULL after it one.
func TestNAKNamesTheSend(t *testing.T) {
	for _, test := range []struct {
		nak, xid string
		invalid  bool
	}{
		{"nak server invalid", "0x00001003", true},
		{"nak server invalid of 2", "0x00001002", true},
		{"nak server invalid psn -2", "0x00001002", true},
		{"nak server invalid psn -4", "0x00001002", true},
		{"nak server invalid psn -6", "0x00001002", true},
		{"nak server invalid psn +4", "", false},
		{"nak server access of 2", "0x00001002", false},
		{"nak server sequence of 2", "", false},
		{"rnr server 14 of 2", "", false},
	} {
		list, why := refused(t, two+test.nak+"\n", scene.RoCE)
		if test.xid == "" {
			if len(list) > 0 {
				t.Errorf("%s refuses %+v", test.nak, list)
			}
			continue
		}
		if len(list) != 1 || rules.Handle(list[0].XID) != test.xid || why[0].TooLong || why[0].Invalid != test.invalid ||
			why[0].OfLength() != test.invalid || !list[0].Has(why[0].PSN) || why[0].Place.Length != 1 || why[0].From == list[0].From {
			t.Errorf("%s refuses %+v: %+v", test.nak, list, why)
		}
	}
}

func TestTerminateNamesTheSend(t *testing.T) {
	const text = `
connect
call 1 NFS3 NULL
reply 1
call 2 NFS3 WRITE data=bytes(1000) count=1000
`
	list, why := refused(t, text+"terminate server 1/2/5\nreset server\n", scene.IWARP)
	if len(list) != 1 || list[0].XID != 0x1002 || !why[0].TooLong || list[0].Last != 2 {
		t.Errorf("%+v: %+v", list, why)
	}
	if list, _ := refused(t, text+"terminate server 1/2/2\nreset server\n", scene.IWARP); len(list) > 0 {
		t.Errorf("for want of a buffer: %+v", list)
	}
}

// A Terminate that repeats the header of a Send, by its MSN; one that repeats
// another; and those that say which it must have been by their error.
func TestTerminateRepeatsTheSend(t *testing.T) {
	const text = `
connect client=4096/4096,inv server=4096/4096,inv
call 1 NFS3 READ count=100
    write 0x1001 100
call 2 NFS3 NULL
reply 1 data=bytes(100)
    invalidate 0x1001
reply 2
`
	const message = "fpdu client untagged opcode=7 qn=2 msn=1 payload=hex("
	for _, test := range []struct {
		name, terminate string
		xid             uint32
		tooLong         bool
	}{
		{"Send, MSN 2", message + "0205c000 0064 4143 00000000 00000000 00000002 00000000)", 0x1002, false},
		{"Send With Invalidate, MSN 1", message + "0109c000 0064 4144 00001001 00000000 00000001 00000000)", 0x1001, false},
		{"a message too long, MSN 1", message + "1205c000 0064 4143 00000000 00000000 00000001 00000000)", 0x1001, true},
		{"a message too long that is not known", message + "1205c000 0064 4143 00000000 00000000 00000009 00000000)", 0, false},
		{"an RDMA Write too long", message + "1205c000 0064 c140 00001001 0000000000000000)", 0, false},
		{"an STag that cannot be invalidated", "terminate client 0/2/9", 0x1001, false},
		{"a message too long", "terminate client 1/2/5", 0x1002, true},
		{"an STag that is invalid", "terminate client 1/1/0", 0, false},
	} {
		list, why := refused(t, text+test.terminate+"\nreset client\n", scene.IWARP)
		switch {
		case test.xid == 0 && len(list) > 0:
			t.Errorf("%s refuses %+v", test.name, list)
		case test.xid != 0 && len(list) != 1:
			t.Errorf("%s refuses %d Sends", test.name, len(list))
		case test.xid != 0 && (list[0].XID != test.xid || why[0].OfLength() != test.tooLong || why[0].Termination == nil || why[0].From == list[0].From):
			t.Errorf("%s refuses %+v: %+v", test.name, list, why)
		}
	}
}

// Whatever was acknowledged before, those that are not are all remembered: the NAK names
// the first of forty.
func TestOutstandingAreRemembered(t *testing.T) {
	for _, acknowledged := range []string{"1", "7", "8", "9", "20", "60"} {
		list, _ := refused(t, `
connect server=none client=none
repeat `+acknowledged+`
call $ NFS3 NULL
reply $
end
call 1000 NFS3 NULL
    noack
repeat 39
call $+2000 NFS3 NULL
    noack
end
nak server invalid of 1000
`, scene.RoCE)
		if len(list) != 1 || list[0].XID != 0x1000+1000 {
			t.Errorf("behind %s: %+v", acknowledged, list)
		}
	}
}

// Of those that are acknowledged a few are remembered, and their packets: what is sent
// again may be compared.
func TestAcknowledgedAreRemembered(t *testing.T) {
	frames := ruletest.Frames(t, `
connect
repeat 40
call $ NFS3 NULL
reply $
end
`, scene.RoCE)
	sends, kept := 0, 0
	ruletest.Check(t, []*rules.Rule{{Rule: finding.Rule{ID: "T-001"}, Check: rules.Check{Needs: []rules.Knowledge{requests.Knowledge()}, On: []rules.Event{
		rules.OnMessage(0, func(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
			sends++
			kept = 0
			for back := range 40 {
				if r := requests.Of(c).Find(m.From, rocev2.PSNAdd(m.Point.First, -back)); r != nil && r.Message {
					kept++
				}
			}
			if least := min((sends+1)/2, 8); kept < least {
				t.Errorf("%d of %d Sends are remembered", kept, (sends+1)/2)
			}
		}),
	}}}}, frames)
	if sends != 80 || kept > 16 {
		t.Errorf("%d Sends, %d of an end are remembered", sends, kept)
	}
}
