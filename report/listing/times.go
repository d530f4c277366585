package listing

import "fmt"

// Times says how the times of rows are written.
type Times uint8

const (
	Relative Times = iota // seconds since the first frame
	Delta                 // seconds since the row before
	Absolute              // date and time of day in the time zone of this machine
	UTC                   // date and time of day in UTC
	Epoch                 // seconds since 1970, UTC
)

// ParseTimes reads how times are written by the name that the command line gives it.
func ParseTimes(s string) (Times, error) {
	for t, name := range timeNames() {
		if s == name {
			return Times(t), nil
		}
	}
	return 0, fmt.Errorf("unknown format %q: use relative, delta, absolute, utc or epoch", s)
}

func timeNames() [Epoch + 1]string {
	return [...]string{Relative: "relative", Delta: "delta", Absolute: "absolute", UTC: "utc", Epoch: "epoch"}
}
