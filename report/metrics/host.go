package metrics

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// local has a handler on a loopback address answer only who asked for one: a page in a browser
// on this host can have its own name resolved to 127.0.0.1 (DNS rebinding) and would else read
// the answers. The browser sends the page's name as Host. Elsewhere the name is whatever this
// host is called, and everybody is answered.
func local(h http.Handler, at net.Addr) http.Handler {
	listening, err := netip.ParseAddrPort(at.String())
	if err != nil || !listening.Addr().Unmap().IsLoopback() {
		return h
	}
	port := strconv.Itoa(int(listening.Port()))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLocal(r.Host, port) {
			answerLine(w, http.StatusMisdirectedRequest, fmt.Sprintf(
				"The Host of this request is not localhost:%[1]s, 127.0.0.1:%[1]s or [::1]:%[1]s: rdmacap listens on a loopback address and answers only there. "+
					"A tunnel must have the port %[1]s at both ends; --metrics ADDRESS:PORT listens elsewhere.", port))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// isLocal reports whether a Host names this host by a loopback address, and the port, which
// is left out where it is that of HTTP.
func isLocal(host, port string) bool {
	name, given, err := net.SplitHostPort(host)
	if err != nil {
		name, given = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), "80"
	}
	if given != port {
		return false
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}
