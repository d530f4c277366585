//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// pollable is a copy of a channel's file descriptor that Go's netpoller waits for. The
// library closes its own.
func pollable(channel uintptr, offset int, name string) (*os.File, error) {
	fd := int(int32At(channel, offset))
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	mine, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return os.NewFile(uintptr(mine), name), nil
}

// wait tries to take an event until it does not say EAGAIN, or one of the contexts ends,
// whose cause it then returns. One goroutine waits for a file at a time.
func wait(file *os.File, take func() error, until ...context.Context) error {
	if err := file.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	for _, ctx := range until {
		ran := make(chan struct{})
		stop := context.AfterFunc(ctx, func() {
			_ = file.SetReadDeadline(time.Unix(1, 0))
			close(ran)
		})
		defer func() {
			if !stop() {
				<-ran // or it would end the next wait
			}
		}()
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Read(func(uintptr) bool {
		failed = take()
		return !errors.Is(failed, syscall.EAGAIN)
	})
	if errors.Is(err, os.ErrDeadlineExceeded) {
		for _, ctx := range until {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
	}
	return errors.Join(err, failed)
}
