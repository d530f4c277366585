//go:build linux

package fleet

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/shipped"
)

// captures makes so many captures of a few hosts and days, and returns the list of them, as
// docs/fleet.md has it. Two hosts have captures of the same names.
func captures(t *testing.T, dir string, n int) (list string) {
	t.Helper()
	samples := [][]byte{shipped.Whole(t, "rxe-cb"), shipped.Whole(t, "siw-cb"), shipped.Whole(t, "rxe-thresh")}
	var lines strings.Builder
	for i := range n {
		host := fmt.Sprintf("nfs%d", i%2)
		path := filepath.Join(dir, host, fmt.Sprintf("trace %03d.pcap", i/2))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		// One in ten is larger.
		which := i % 2
		if i%10 == 9 {
			which = 2
		}
		data := append([]byte(nil), samples[which]...)
		if err := shift(data, uint32(i)*1801); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\t%s\n", host, path)
	}
	return lines.String()
}

// shift adds seconds to the time of each record of a pcap file.
func shift(file []byte, seconds uint32) error {
	const header, record = 24, 16
	var order binary.ByteOrder = binary.LittleEndian
	switch magic := order.Uint32(file); magic {
	case 0xa1b2c3d4, 0xa1b23c4d:
	case 0xd4c3b2a1, 0x4d3cb2a1:
		order = binary.BigEndian
	default:
		return fmt.Errorf("not a pcap file: it begins with %#x", magic)
	}
	for at := header; at+record <= len(file); {
		order.PutUint32(file[at:], order.Uint32(file[at:])+seconds)
		at += record + int(order.Uint32(file[at+8:]))
	}
	return nil
}
