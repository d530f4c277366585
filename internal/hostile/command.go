package hostile

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// What a run may take. How much memory a process has at most depends little on what else the
// machine does; the processor time is a few times what is used on a machine that is busy.
const (
	mib        = 1 << 20
	mostMemory = 96 * mib // of check, read and stats: docs/security.md
	mostPage   = 256 * mib
	mostTime   = time.Minute
	// patience is for a run that does not end.
	patience = 10 * time.Minute
)

// A Command is run on captures that nobody trusts.
type Command struct {
	// Name is a word for it.
	Name string
	args string // CAPTURE and DIR stand for files
	most int64  // bytes of memory
}

// Commands are all that read captures.
func Commands() []Command {
	return []Command{
		{"check", "check --workers 2 CAPTURE", mostMemory},
		{"read", "read --workers 2 CAPTURE", mostMemory},
		{"stats", "stats --workers 2 CAPTURE", mostMemory},
		{"report", "report --workers 2 CAPTURE --force -o DIR/page.html", mostPage},
		{"annotate", "annotate --workers 2 CAPTURE --force -o DIR/annotated.pcapng", mostPage},
		{"three", "check --workers 2 CAPTURE CAPTURE CAPTURE", mostMemory},
		{"live", "live -r CAPTURE --write DIR --on-finding=note --memory 256MiB --quiet", mostPage},
		{"export", "export objects CAPTURE -o DIR/objects", mostPage},
		{"replay", "replay CAPTURE --connection 1 --to 127.0.0.1 --bind --yes --dry-run --memory 64MiB", mostPage},
		{"listen", "replay CAPTURE --connection 1 --listen 127.0.0.1:20049 --dry-run --memory 64MiB", mostPage},
		{"verbatim", "replay CAPTURE --connection 1 --to 127.0.0.1 --verbatim --yes --dry-run --memory 64MiB", mostPage},
	}
}

// Run runs the command of a program on a capture, with a folder for what it writes. It says what
// that took, and what is wrong with it: the program must end by itself, with an exit status of
// its own, within its memory and its processor time.
func (c Command) Run(ctx context.Context, program, capture, dir string) (cost Cost, wrong []string) {
	var args []string
	for _, a := range strings.Fields(c.args) {
		args = append(args, strings.NewReplacer("CAPTURE", capture, "DIR", dir).Replace(a))
	}
	fault := func(format string, more ...any) {
		wrong = append(wrong, fmt.Sprintf("%s: ", strings.Join(args, " "))+fmt.Sprintf(format, more...))
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cost, err := Run(ctx, program, args...)
	if err != nil || cost.Exit < 0 || cost.Exit > 2 || strings.Contains(string(cost.Diag), "panic") {
		fault("%v, exit status %d: %s", err, cost.Exit, cost.Diag)
	}
	if strings.Contains(string(cost.Diag), "--help") {
		fault("the command line is refused: %s", cost.Diag)
	}
	if cost.Peak > c.most {
		fault("%d MiB of memory, and %d are allowed", cost.Peak/mib, c.most/mib)
	}
	if cost.CPU > mostTime {
		fault("%v of processor time", cost.CPU)
	}
	return cost, wrong
}
