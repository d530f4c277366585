// Command captures writes captures for the lab's machine: those that break rules, for two rdmacap to
// replay at each other, and one of a client that connects anew.
//
//	go run ./lab/captures FOLDER
//
// There is one capture a rule and transport, named after the port that it is to be replayed at:
// rxe.21002-HDR-003.pcap; and rxe.reconnect.pcap.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./lab/captures FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

// chosen are rules of each family about messages, of which the first sample is written.
var chosen = [...]string{"HDR-003", "DDP-007", "DDP-013", "CREDIT-003", "THRESH-003", "ULB-004", "INV-001", "V2-001", "XCHAR-001", "RPC-001"}

// firstPort is the port of the first rule.
const firstPort = 21001

// write writes the captures, for devices as the lab's machine names them.
func write(folder string) error {
	devices := map[string]scene.Transport{"rxe": scene.RoCE, "siw": scene.IWARP}
	for device, over := range devices {
		if err := writeScene(filepath.Join(folder, device+".reconnect.pcap"), reconnect, over); err != nil {
			return fmt.Errorf("reconnect: %w", err)
		}
	}
	all := catalogue.All()
	for n, id := range chosen {
		at := slices.IndexFunc(all, func(r *rules.Rule) bool { return r.ID == id })
		if at < 0 {
			return fmt.Errorf("there is no rule %s", id)
		}
		fires, _ := all[at].Samples()
		for device, over := range devices {
			name := fmt.Sprintf("%s.%d-%s.pcap", device, firstPort+n, id)
			if err := writeScene(filepath.Join(folder, name), fires[0].Text(), over); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// writeScene writes what a scene plays to a file.
func writeScene(path, text string, over scene.Transport) (err error) {
	played, err := scene.Play(text, over)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	return played.WritePcap(f)
}
