package metrics

import (
	"io"
	"net/http"
)

// Handler answers GET and HEAD of /metrics, /healthz, /readyz and the page at /.
func (m *Metrics) Handler() http.Handler { return guarded(m.handler()) }

func (m *Metrics) handler() http.Handler {
	all := newCollector(m)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", newScrape(all))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answerLine(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if why := m.Ready(); why != "" {
			answerLine(w, http.StatusServiceUnavailable, why)
			return
		}
		answerLine(w, http.StatusOK, "capturing")
	})
	mux.Handle("GET /{$}", page{all})
	return mux
}

// answerLine answers with a line.
func answerLine(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n") // whoever asked has left
}

// guarded has browsers make nothing of the answers but what they are.
func guarded(h http.Handler) http.Handler {
	policy := pagePolicy()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		set := w.Header().Set
		set("Content-Security-Policy", policy)
		set("X-Content-Type-Options", "nosniff")
		set("Referrer-Policy", "no-referrer")
		set("Cache-Control", "no-store")
		h.ServeHTTP(w, r)
	})
}
