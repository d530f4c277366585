package main

import (
	"bytes"
	"os/exec"
	"reflect"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// TestCutAnonymizeTshark holds that tshark finds as many right checksums and CRCs of FPDUs as before,
// as many wrong ones, and the same RPC-over-RDMA; ICRCs it does not compute.
func TestCutAnonymizeTshark(t *testing.T) {
	t.Parallel()
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed: nothing is compared with it")
	}
	for _, name := range []string{"rxe-cb", "version2-iwarp"} {
		before, after, _ := anonymized(t, name, "--connection", "1")
		said := func(file string) map[string]int {
			out, err := exec.Command(tshark, "-r", file, "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE", "-V").Output()
			if err != nil {
				t.Fatal(err)
			}
			count := make(map[string]int)
			for _, word := range []string{"[Checksum Status: Good]", "[Checksum Status: Bad]", "[Header checksum status: Good]", "Good CRC32", "Bad CRC32", "RPC over RDMA", "Malformed"} {
				count[word] = bytes.Count(out, []byte(word))
			}
			return count
		}
		a, b := said(before), said(after)
		if !reflect.DeepEqual(a, b) || a["[Header checksum status: Good]"] == 0 || name == "rxe-cb" && a["RPC over RDMA"] == 0 || name == "version2-iwarp" && a["Good CRC32"] == 0 {
			t.Errorf("%s: tshark says %v, before %v", name, b, a)
		}
	}
}

// TestCutAnonymizeICRC holds that what carried a right ICRC does so afterwards, and what carried a
// wrong one does not.
func TestCutAnonymizeICRC(t *testing.T) {
	t.Parallel()
	before, after, _ := anonymized(t, "rxe-loss", "--connection", "1")
	states := func(file string) (list []rocev2.ICRCState) {
		eachFrame(t, file, func(c *capture.Frame) {
			f := flow.Frame{Frame: *c}
			f.Decode(link.Options{})
			list = append(list, f.ICRC())
		})
		return list
	}
	a, b := states(before), states(after)
	if !slices.Equal(a, b) || !slices.Contains(a, rocev2.ICRCRight) {
		t.Errorf("the ICRCs of %d frames are not as before", len(a))
	}
}
