package hostile

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// A Cost is what a run of a program took.
type Cost struct {
	Peak int64         // bytes that were resident at most; 0 where the system is not asked (Windows)
	CPU  time.Duration // of user and system
	Exit int
	Diag []byte // what it wrote on standard error
}

// Run runs a program whose output nobody reads, and says what that took. It is an error
// if the program cannot be started, or ends by a signal, such as at the context's end.
func Run(ctx context.Context, program string, args ...string) (c Cost, err error) {
	diag := new(tail)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = diag
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		err = nil
	}
	if cmd.ProcessState != nil {
		c = Cost{peak(cmd.ProcessState), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), cmd.ProcessState.ExitCode(), diag.last}
	}
	return c, err
}

// A tail keeps the last bytes that were written.
type tail struct{ last []byte }

func (t *tail) Write(b []byte) (int, error) {
	const most = 1 << 10
	t.last = append(t.last, b...)
	if len(t.last) > most {
		t.last = append([]byte(nil), t.last[len(t.last)-most:]...)
	}
	return len(b), nil
}
