// Command measure makes hostile captures of one, two and four times a size, runs commands
// of rdmacap on each, and prints what they took:
//
//	go run ./internal/hostile/measure [-only NAME] RDMACAP [COMMAND...]
//
// It fails where memory is beyond a limit, or where four times as much takes more than eight
// times the processor time: with the square of the size it would be sixteen. Less than half
// a second is not held against that.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/internal/hostile"
)

func main() {
	only := flag.String("only", "", "the one input to run, or several: A,B")
	limit := flag.Int64("limit", 96, "how much memory a run may have, in MiB")
	flag.Parse()
	if flag.NArg() < 1 {
		flag.Usage()
		os.Exit(2)
	}
	m := measure{program: flag.Arg(0), commands: flag.Args()[1:], limit: *limit << 20}
	if len(m.commands) == 0 {
		m.commands = []string{"check", "read", "stats", "report"}
	}
	if err := m.run(*only); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

type measure struct {
	program  string
	commands []string
	limit    int64
	bad      int
}

func (m *measure) run(only string) error {
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Printf("| %-17s | %-7s | %23s | %23s |\n", "input", "command", "MiB for 1, 2, 4 times", "CPU s for 1, 2, 4 times")
	fmt.Println("| --- | --- | ---: | ---: |")
	for _, in := range hostile.Inputs() {
		if only != "" && !strings.Contains(","+only+",", ","+in.Name+",") {
			continue
		}
		if err := m.input(dir, in); err != nil {
			return err
		}
	}
	if m.bad > 0 {
		return fmt.Errorf("%d rows are beyond a limit: they have a ! behind them", m.bad)
	}
	return nil
}

// input measures one, with all commands.
func (m *measure) input(dir string, in hostile.Input) error {
	times := []int{1, 2, 4}
	var paths []string
	for _, n := range times {
		path := filepath.Join(dir, fmt.Sprintf("%s-%d.pcap", in.Name, n))
		if err := in.Write(path, n*in.Size); err != nil {
			return err
		}
		defer os.Remove(path)
		paths = append(paths, path)
	}
	for _, command := range m.commands {
		var memory, cpu []string
		var costs []hostile.Cost
		mark := ""
		for _, path := range paths {
			args := append(strings.Fields(command), path)
			if strings.HasPrefix(command, "report") {
				args = append(args, "--force", "-o", filepath.Join(dir, "out.html"))
			}
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			cost, err := hostile.Run(ctx, m.program, args...)
			cancel()
			if err != nil {
				cost.Diag = append(cost.Diag, err.Error()...)
				fmt.Fprintf(os.Stderr, "measure: %s: %s\n", strings.Join(args, " "), cost.Diag)
				mark = "!"
			}
			if cost.Peak > m.limit {
				mark = "!"
			}
			if len(costs) == len(times)-1 && cost.CPU > time.Second/2 && cost.CPU > 8*costs[0].CPU {
				mark = "!"
			}
			costs = append(costs, cost)
			memory = append(memory, fmt.Sprintf("%7.0f", float64(cost.Peak)/(1<<20)))
			cpu = append(cpu, fmt.Sprintf("%7.2f", cost.CPU.Seconds()))
		}
		if mark != "" {
			m.bad++
		}
		fmt.Printf("| %-17s | %-7s | %s | %s | %s\n", in.Name, command, strings.Join(memory, " "), strings.Join(cpu, " "), mark)
	}
	return nil
}
