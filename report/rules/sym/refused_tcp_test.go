package sym_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/sym"
)

// TestNobodyGotAConnection holds what is reported of a capture with nothing but TCP connections that were refused or never
// answered.
func TestNobodyGotAConnection(t *testing.T) {
	toPort(t, "20777", "")
	// Of port 20049 SYM-004 tells too that it is refused.
	toPort(t, "20049", "SYM-004")
}

func toPort(t *testing.T, port, besides string) {
	t.Helper()
	set := ruletest.Frames(t, "connect port="+port+"\n", scene.IWARP)
	syn, answer := set[0], set[1]
	refusal := answer
	refusal.Data = slices.Clone(answer.Data)
	var p link.Packet
	p.Decode(answer.Link, answer.Data, int(answer.Length), link.Options{})
	tcp := refusal.Data[p.Start():]
	tcp[13] = byte(link.RST | link.ACK)
	clear(tcp[4:8])
	for name, tt := range map[string]struct {
		frames []capture.Frame
		want   string
	}{
		"refused":        {[]capture.Frame{syn, refusal, syn, refusal}, "reset the TCP connection requested to port " + port + ", 2 times: nobody listens there"},
		"nobody there":   {[]capture.Frame{syn, syn, syn}, "a TCP connection to port " + port + " of"},
		"asked for once": {[]capture.Frame{syn}, "the only frame is not recognized as RDMA" + map[string]string{"20049": ": there is 1 TCP segment of port 20049 in which no iWARP was recognized"}[port]},
		"answered":       {[]capture.Frame{syn, answer, syn, syn}, "none of 4 frames is recognized as RDMA" + map[string]string{"20049": ": there are 4 TCP segments of port 20049 in which no iWARP was recognized"}[port]},
	} {
		for i := range tt.frames {
			tt.frames[i].Number, tt.frames[i].Time = int64(i+1), set[0].Time+int64(i)
		}
		found := slices.DeleteFunc(ruletest.Check(t, sym.Rules(), tt.frames), func(f *finding.Finding) bool { return f.ID() == besides })
		if len(found) != 1 || found[0].ID() != "SYM-008" || !strings.Contains(found[0].Message, tt.want) ||
			strings.HasPrefix(tt.want, "none") && found[0].Message != tt.want {
			t.Errorf("%s: %v", name, found)
			for _, f := range found {
				t.Error(f.ID(), f.Message)
			}
		}
	}
}
