package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

// took is the time from the first call to the last reply on a boot's wire, of several connections together.
func took(program, folder string, connections []place) (whole time.Duration, err error) {
	out, err := exec.Command(program, "read", "--format", "ndjson", filepath.Join(folder, "wire.pcap")).Output()
	if err != nil {
		return 0, fmt.Errorf("read of the wire: %w", err)
	}
	places := make(map[int]place)
	first, last := make(map[place]time.Time), make(map[place]time.Time)
	err = eachRecord(out, func(r *record) error {
		at := places[r.Connection]
		switch {
		case r.Type == "connection":
			places[r.ID] = place{r.Transport, r.Port}
		case r.Type == "rpc" && r.Latency != nil:
			sent, err := r.sent()
			if err != nil {
				return err
			}
			if begun := first[at]; begun.IsZero() || sent.Before(begun) {
				first[at] = sent
			}
			if done := sent.Add(time.Duration(*r.Latency)); done.After(last[at]) {
				last[at] = done
			}
		}
		return nil
	})
	for _, at := range connections {
		if first[at].IsZero() {
			err = errors.Join(err, fmt.Errorf("there is no call at port %d", at.port))
		}
		whole += last[at].Sub(first[at])
	}
	return whole, err
}
