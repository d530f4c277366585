//go:build linux

// Command live measures how many frames a second `rdmacap live` takes beside tcpdump,
// each as a whole process on the same wire in the same run:
//
//	tcpdump -w /dev/null     beside   live --brief, which writes findings only
//	tcpdump -w FILE          beside   live, and live --write DIR
//
// The wire is a veth pair in a network namespace that the command makes for itself and
// that goes with it: nothing leaves the machine. Frames are of conversations between
// NFS clients and a server, all of one length, and of samples as they are, again and again; they
// come faster until some are dropped. What was sent is compared with what was analysed and
// what was counted as dropped. Sender and receivers share the machine.
//
//	go run ./bench/live                    tables in Markdown, some ten minutes
//	go run ./bench/live -seconds 5 -rounds 3 -lengths 1082
//	go run ./bench/live -overload          more than can be analysed: what is shed
//	go run ./bench/live -crowd 40000       that many connections: the memory it takes
//	go run ./bench/live -soak 10m          connections come and go: memory, goroutines, descriptors
//
// The exit status is 1 if frames were neither analysed nor counted, memory was exceeded or something
// was left, and 2 if it cannot measure: it needs Linux, root (CAP_SYS_ADMIN, CAP_NET_ADMIN and
// CAP_NET_RAW), the command ip, tcpdump for the tables, and Go unless -rdmacap names a program.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// errFailed says that something that was measured is not as it must be; it was printed.
var errFailed = errors.New("what was measured is not as it must be")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "live:", err)
	if errors.Is(err, errFailed) {
		os.Exit(1)
	}
	os.Exit(2)
}

// A bench is what all measurements share.
type bench struct {
	ctx     context.Context
	program string // rdmacap
	folder  string // for files that are made
	wire    *wire
	seconds time.Duration
	rounds  int
	rate    float64
	flags   []string // of live, besides
	failed  bool
}

func run(ctx context.Context, args []string) (err error) {
	b := &bench{ctx: ctx}
	flags := flag.NewFlagSet("live", flag.ContinueOnError)
	flags.StringVar(&b.program, "rdmacap", "", "the `program` to measure; if it is not given, it is built")
	seconds := flags.Float64("seconds", 4, "how long each rate is tried: longer than rings can hide that it is too much")
	flags.IntVar(&b.rounds, "rounds", 1, "how often each limit is looked for; the highest is told")
	lengths := flags.String("lengths", "128,1082,4178", "of frames, in bytes; a `list` with commas")
	overload := flags.Bool("overload", false, "send more than can be analysed")
	crowd := flags.Int("crowd", 0, "send frames of `N` connections that are open at once")
	soak := flags.Duration("soak", 0, "send for a `time`, as connections come and go")
	flags.Float64Var(&b.rate, "rate", 10_000, "frames a second of -soak and -crowd")
	more := flags.String("flags", "", "`flags` of live, besides")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("nothing is known of %q (-help)", flags.Args())
	}
	b.flags = strings.Fields(*more)
	if b.seconds = time.Duration(*seconds * float64(time.Second)); b.seconds <= 0 || b.seconds > time.Minute || b.rounds < 1 {
		return errors.New("-seconds is up to 60, -rounds at least 1")
	}
	if b.folder, err = os.MkdirTemp("", "rdmacap-live-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.folder)
	if b.program == "" {
		b.program = filepath.Join(b.folder, "rdmacap")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", b.program, "github.com/rdmacap/rdmacap/cmd/rdmacap").CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w: %s", err, out)
		}
	}
	if b.wire, err = newWire(); err != nil {
		return err
	}
	switch {
	case *soak > 0:
		err = b.soak(*soak)
	case *crowd > 0:
		err = b.crowd(*crowd)
	case *overload:
		err = b.overload()
	default:
		var list []int
		for _, text := range strings.Split(*lengths, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < 128 || n > 9000 {
				return fmt.Errorf("-lengths: %q is not a number from 128 to 9000", text)
			}
			list = append(list, n)
		}
		err = b.tables(list)
	}
	if err == nil && b.failed {
		return errFailed
	}
	return err
}
