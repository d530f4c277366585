package metrics

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rdmacap/rdmacap/report/metrics/exposition"
)

// atOnce is for how many requests figures are put together at once; others wait for their turn.
const atOnce = 4

// A scrape answers with figures as text, which every Prometheus takes, also where it would
// rather have another format.
type scrape struct {
	all   *collector
	turns chan struct{} // as many as figures are put together for
	// packers are gzip.Writers, each of which has 800 kB of tables, for the next to use.
	packers sync.Pool
}

func newScrape(all *collector) *scrape {
	return &scrape{all: all, turns: make(chan struct{}, atOnce), packers: sync.Pool{New: func() any { return gzip.NewWriter(nil) }}}
}

func (s *scrape) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	zipped := takesGzip(r.Header.Values("Accept-Encoding"))
	text, err := s.text(r, zipped)
	if err != nil {
		return // whoever asked has left
	}
	h := w.Header()
	h.Set("Content-Type", exposition.ContentType)
	h.Set("Vary", "Accept-Encoding")
	if zipped {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	_, _ = w.Write(text) // however slow the reader is, it is not its turn any more
}

// text is the answer, when it is the request's turn: an error says that it is not wanted any
// more.
func (s *scrape) text(r *http.Request, zipped bool) ([]byte, error) {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	text := exposition.Append(nil, asked(r, s.all.everything()))
	if zipped {
		text = s.packed(text)
	}
	return text, nil
}

// asked are the families that a request names, all if it names none.
func asked(r *http.Request, families []exposition.Family) []exposition.Family {
	names := r.URL.Query()["name[]"]
	if len(names) == 0 {
		return families
	}
	return slices.DeleteFunc(families, func(f exposition.Family) bool { return !slices.Contains(names, f.Name) })
}

func (s *scrape) packed(text []byte) []byte {
	var b bytes.Buffer
	z := s.packers.Get().(*gzip.Writer)
	defer s.packers.Put(z)
	z.Reset(&b)
	_, _ = z.Write(text) // a buffer takes all
	_ = z.Close()
	return b.Bytes()
}

// takesGzip reports whether lines of Accept-Encoding name gzip, with a quality above 0
// (RFC 9110, 12.5.3).
func takesGzip(lines []string) bool {
	for _, line := range lines {
		for coding := range strings.SplitSeq(line, ",") {
			name, parameters, _ := strings.Cut(coding, ";")
			if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
				continue
			}
			quality, given := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameters)), "q=")
			q, err := strconv.ParseFloat(quality, 64)
			return !given || err == nil && q > 0
		}
	}
	return false
}
