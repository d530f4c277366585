package scene

import (
	"strings"
	"testing"
)

func TestReckon(t *testing.T) {
	for _, tt := range []struct{ word, want string }{
		{"$", "5"}, {"$*0x10", "80"}, {"$*16+3", "83"}, {"$+100", "105"},
	} {
		if got := reckon(tt.word, 5); got != tt.want {
			t.Errorf("%s: %s, not %s", tt.word, got, tt.want)
		}
	}
}

func TestRepeat(t *testing.T) {
	_, s := watch(t, `
connect
repeat 3
call $+100 NFS3 READ file="fh" count=8
    write $*0x100+0x20 8@$*0x1000
reply $+100 data=bytes(8)
end
disconnect`, RoCE)
	got := strings.Join(s.log, "\n")
	for _, want := range []string{"server writes 0x120@0x1000", "server writes 0x220@0x2000", "server writes 0x320@", "client RDMA_MSG 0x1067 write 0x320+8"} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	if s.complete != 3 || len(s.faults) > 0 {
		t.Errorf("%d complete RPCs, %v", s.complete, s.faults)
	}
	for text, want := range map[string]string{
		"end":                        "line 1: end ends nothing",
		"repeat 2\nconnect":          "line 1: repeat has no end",
		"repeat 2\nrepeat 2\nend":    "line 2: repeat does not stand in repeat",
		"repeat x\nend":              `line 1: how often: "x" is no number of 14 bits`,
		"repeat 16000\na\nb\nc\nend": "line 1: it all makes more than 20000 lines",
		"repeat 2\nconect\nend":      "line 2: conect is no statement",
	} {
		if _, err := Play(text, RoCE); err == nil || err.Error() != want {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}
