package bind_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// BenchmarkBind replays a connection of NFS 4.2 against the captured server itself: what binding
// costs for each call and its reply.
func BenchmarkBind(b *testing.B) {
	steps := record(b, "rxe-basic").steps()[4]
	s := spec(b)
	calls := 0
	for b.Loop() {
		b.StopTimer()
		binder, err := bind.New(bind.Options{OwnerSuffix: suffix}, s)
		if err != nil {
			b.Fatal(err)
		}
		open := make(map[*exchange]*bind.Call)
		b.StartTimer()
		for _, s := range steps {
			if s.isReply {
				open[s.exchange].Reply(&s.reply, s.reply)
			} else if open[s.exchange], err = binder.Call(s.call); err != nil {
				b.Fatal(err)
			}
		}
		calls += len(open)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(calls), "ns/RPC")
}

// BenchmarkCompare compares the replies of a connection of NFS 4.2 with themselves.
func BenchmarkCompare(b *testing.B) {
	steps := record(b, "rxe-basic").steps()[4]
	binder, err := bind.New(bind.Options{}, spec(b))
	if err != nil {
		b.Fatal(err)
	}
	calls := 0
	for b.Loop() {
		for _, s := range steps {
			if s.isReply {
				binder.Compare(s.reply, s.reply)
				calls++
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(calls), "ns/RPC")
}
