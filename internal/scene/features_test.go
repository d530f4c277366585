package scene

import (
	"os"
	"strings"
	"testing"
)

// A sample is a scene in testdata: its name after ==, the text, and after -- what
// a dissector sees. Where that depends on the transport, it is told after -- roce
// and -- iwarp; one that is not told is not played.
type sample struct{ name, text, both, roce, iwarp string }

func samples(t testing.TB, file string) (list []sample) {
	t.Helper()
	all, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split("\n"+string(all), "\n== ")[1:] {
		var s sample
		var rest string
		s.name, rest, _ = strings.Cut(part, "\n")
		sections := strings.Split("\n"+rest, "\n--")
		s.text = strings.TrimSpace(sections[0])
		for _, section := range sections[1:] {
			name, want, _ := strings.Cut(section, "\n")
			switch want = strings.TrimSpace(want); strings.TrimSpace(name) {
			case "":
				s.both = want
			case "roce":
				s.roce = want
			case "iwarp":
				s.iwarp = want
			default:
				t.Fatalf("%s: %s has no transport %s", file, s.name, name)
			}
		}
		list = append(list, s)
	}
	return list
}

// want is what is seen over a transport, and whether the sample is played over it.
func (s *sample) want(over Transport) (string, bool) {
	own := map[Transport]string{RoCE: s.roce, IWARP: s.iwarp}[over]
	return s.both + own, s.both != "" || own != ""
}

// TestMessages looks at messages and RDMA operations; what is meant to be wrong is
// a line with !.
func TestMessages(t *testing.T) { play(t, "testdata/messages.txt", messages) }

// TestVersion2 looks at messages of version 2.
func TestVersion2(t *testing.T) { play(t, "testdata/version2.txt", messages) }

func messages(_ *Scene, s *seen) (lines []string) {
	for _, line := range s.log {
		if !strings.HasPrefix(line, "connection") {
			lines = append(lines, line)
		}
	}
	for _, f := range s.faults {
		lines = append(lines, "! "+f)
	}
	return lines
}

// TestTraffic looks at connections and frames.
func TestTraffic(t *testing.T) {
	play(t, "testdata/traffic.txt", func(_ *Scene, s *seen) (lines []string) {
		return append(append(s.log, s.counts()), s.faults...)
	})
}

func play(t *testing.T, file string, see func(*Scene, *seen) []string) {
	for _, tt := range samples(t, file) {
		t.Run(tt.name, func(t *testing.T) {
			for _, over := range []Transport{RoCE, IWARP} {
				want, played := tt.want(over)
				if !played {
					continue
				}
				got := strings.Join(see(watch(t, "connect\n"+tt.text+"\ndisconnect", over)), "\n")
				if got != want {
					t.Errorf("%s:\n%s\nnot\n%s", over, got, want)
				}
			}
		})
	}
}
