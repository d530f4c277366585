package metrics

import "github.com/rdmacap/rdmacap/dissect"

// procedures are those of transport headers of both versions that have series. Those
// of one version have the same numbers as in the other, so they go by their names.
var procedures = [...]string{
	"RDMA_MSG", "RDMA_NOMSG", "RDMA_MSGP", "RDMA_DONE", "RDMA_ERROR",
	"RDMA2_MSG", "RDMA2_NOMSG", "RDMA2_ERROR", "RDMA2_OPTIONAL",
}

// procedure is where a message is counted: behind all procedures if it has none of them,
// or none that can be read.
func procedure(m *dissect.Message) int {
	if m.Header.Length >= fixedHeader {
		name := m.Header.ProcName()
		for i, p := range procedures {
			if p == name {
				return i
			}
		}
	}
	return len(procedures)
}
