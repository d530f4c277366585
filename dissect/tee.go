package dissect

// A Tee tells several sinks of each event, one after the other: all of what the first makes of
// it is done before the next is told. It is a Sink, an AccessSink and a Ticker.
type Tee struct {
	sinks    []Sink
	accesses []AccessSink
	tickers  []Ticker
}

// NewTee returns a Tee of sinks in this order, but for those that are nil. Those that are
// AccessSinks or Tickers too receive operations, and that time goes by.
func NewTee(sinks ...Sink) *Tee {
	t := new(Tee)
	for _, s := range sinks {
		if s != nil {
			t.addSink(s)
		}
	}
	return t
}

func (t *Tee) addSink(s Sink) {
	t.sinks = append(t.sinks, s)
	if a, is := s.(AccessSink); is {
		t.accesses = append(t.accesses, a)
	}
	if k, is := s.(Ticker); is {
		t.tickers = append(t.tickers, k)
	}
}

// Connection implements Sink.
func (t *Tee) Connection(c *Connection, final bool) {
	for _, s := range t.sinks {
		s.Connection(c, final)
	}
}

// Frame implements Sink.
func (t *Tee) Frame(v *FrameView) {
	for _, s := range t.sinks {
		s.Frame(v)
	}
}

// Message implements Sink.
func (t *Tee) Message(m *Message) {
	for _, s := range t.sinks {
		s.Message(m)
	}
}

// RPC implements Sink.
func (t *Tee) RPC(r *RPC) {
	for _, s := range t.sinks {
		s.RPC(r)
	}
}

// Access implements AccessSink.
func (t *Tee) Access(a *Access) {
	for _, s := range t.accesses {
		s.Access(a)
	}
}

// Tick implements Ticker.
func (t *Tee) Tick(now int64) {
	for _, s := range t.tickers {
		s.Tick(now)
	}
}
