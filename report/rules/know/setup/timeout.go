package setup

import (
	"time"

	"github.com/rdmacap/rdmacap/report/rules"
)

// AckTimeout is the Local ACK Timeout that the REQ told, how long a requester waits for an
// ACK at least (InfiniBand Architecture 1.3, volume 1, section 9.7.6.1.3); 0 if that is
// not known or without an end.
func AckTimeout(c *rules.Conn) time.Duration {
	const unit = 4096 * time.Nanosecond
	t := &c.Handshake.Declared[0]
	if !t.Whole || c.IWARP() || t.AckTimeout.Value == 0 {
		return 0
	}
	return unit << t.AckTimeout.Value
}
