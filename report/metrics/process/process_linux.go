package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/rdmacap/rdmacap/report/metrics/exposition"
)

// ticks are the clock ticks of a second in /proc: USER_HZ, which is 100 on all that Go
// compiles for.
const ticks = 100

func appendProcess(families []exposition.Family) []exposition.Family {
	families = appendProc(families, "/proc")
	var files, space unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &files) == nil && unix.Getrlimit(unix.RLIMIT_AS, &space) == nil {
		families = append(families,
			one(exposition.Gauge, "process_max_fds", "Maximum number of open file descriptors.", float64(files.Cur)),
			one(exposition.Gauge, "process_virtual_memory_max_bytes", "Maximum amount of virtual memory available in bytes.", float64(space.Cur)))
	}
	return families
}

// appendProc appends what is in /proc, or a folder like it.
func appendProc(families []exposition.Family, proc string) []exposition.Family {
	if s, ok := readStat(filepath.Join(proc, "self/stat")); ok {
		families = append(families,
			one(exposition.Counter, "process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", float64(s.user+s.system)/ticks),
			one(exposition.Gauge, "process_virtual_memory_bytes", "Virtual memory size in bytes.", float64(s.virtual)),
			one(exposition.Gauge, "process_resident_memory_bytes", "Resident memory size in bytes.", float64(s.resident*uint64(os.Getpagesize()))))
		if boot, ok := bootTime(filepath.Join(proc, "stat")); ok {
			families = append(families, one(exposition.Gauge, "process_start_time_seconds", "Start time of the process since unix epoch in seconds.",
				float64(boot)+float64(s.start)/ticks))
		}
	}
	if n, ok := openFiles(filepath.Join(proc, "self/fd")); ok {
		families = append(families, one(exposition.Gauge, "process_open_fds", "Number of open file descriptors.", float64(n)))
	}
	if in, out, ok := network(filepath.Join(proc, "self/net/netstat")); ok {
		families = append(families,
			one(exposition.Counter, "process_network_receive_bytes_total", "Number of bytes received by the process over the network.", float64(in)),
			one(exposition.Counter, "process_network_transmit_bytes_total", "Number of bytes sent by the process over the network.", float64(out)))
	}
	return families
}

// A stat is what /proc/self/stat says, see proc_pid_stat(5).
type stat struct {
	user, system, start uint64 // ticks: processor time, and since the machine started
	virtual             uint64 // bytes
	resident            uint64 // pages
}

func readStat(path string) (s stat, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return s, false
	}
	// The second field is the name of the program, which may have blanks and brackets.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	for _, x := range []struct {
		to    *uint64
		field int // as the manual counts
	}{{&s.user, 14}, {&s.system, 15}, {&s.start, 22}, {&s.virtual, 23}, {&s.resident, 24}} {
		i := x.field - 3
		if i >= len(fields) {
			return s, false
		}
		if *x.to, err = strconv.ParseUint(fields[i], 10, 64); err != nil {
			return s, false
		}
	}
	return s, true
}

// bootTime is when the machine started, in seconds since 1970.
func bootTime(path string) (seconds uint64, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, "btime "); found {
			seconds, err = strconv.ParseUint(strings.TrimSpace(value), 10, 64)
			return seconds, err == nil
		}
	}
	return 0, false
}

// openFiles is how many files are open: Linux says so from 6.2 on as the size of the folder,
// before it they must be counted.
func openFiles(path string) (int, bool) {
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return int(info.Size()), true
	}
	return counted(path)
}

func counted(path string) (int, bool) {
	list, err := os.ReadDir(path)
	return len(list), err == nil
}

// network is how many bytes IP packets had in and out, in the network namespace of the
// process: a line with names, and one with their values.
func network(path string) (in, out uint64, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, false
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "IpExt:" {
			continue
		}
		if names == nil {
			names = fields
			continue
		}
		found := 0
		for i := range min(len(names), len(fields)) {
			n, err := strconv.ParseUint(fields[i], 10, 64)
			switch {
			case err != nil: // a name
			case names[i] == "InOctets":
				in, found = n, found+1
			case names[i] == "OutOctets":
				out, found = n, found+1
			}
		}
		return in, out, found == 2
	}
	return 0, 0, false
}
