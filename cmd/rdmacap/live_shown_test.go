package main

import (
	"regexp"
	"testing"
)

// TestLiveCountsWhatIsShown holds that live says of a filter how many rows it let through, as read
// does, with any number of workers; and nothing of it where there are no rows.
func TestLiveCountsWhatIsShown(t *testing.T) {
	shown := regexp.MustCompile(`\d+ of \d+ \w+ shown;`)
	for level, filter := range map[string]string{"rpc": "nfs.op == READ", "message": "rdma.length > 150", "frame": "frame.length > 200"} {
		args := []string{"--level", level, "-Y", filter, sample("rxe-cb")}
		want := shown.FindString(must(t, append([]string{"read"}, args...)...))
		if want == "" || want[0] == '0' {
			t.Fatalf("read says %q of level %s", want, level)
		}
		args[4] = "-r=" + sample("rxe-cb")
		for _, workers := range []string{"1", "3"} {
			if got := shown.FindString(must(t, append([]string{"live", "--workers", workers}, args...)...)); got != want {
				t.Errorf("live with %s workers says %q of level %s, read %q", workers, got, level, want)
			}
		}
	}
	for _, without := range []string{"--brief", "--top"} {
		if got := shown.FindString(must(t, "live", without, "-Y", "nfs.op == READ", "-r", sample("rxe-cb"))); got != "" {
			t.Errorf("live %s says %q", without, got)
		}
	}
}
