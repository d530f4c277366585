//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// ManagerLibrary is the name by which the loader finds librdmacm.
const ManagerLibrary = "librdmacm.so.1"

// A manager is libibverbs and librdmacm with all that connections need of them.
type manager struct {
	*library
	createEventChannel, destroyEventChannel uintptr
	createID, destroyID, migrateID          uintptr
	bindAddr, resolveAddr, resolveRoute     uintptr
	makeQP, unmakeQP                        uintptr // of an identifier
	connect, disconnect                     uintptr
	listen, accept, reject                  uintptr
	getEvent, ackEvent                      uintptr
	regMRAt, statusText                     uintptr
}

// loadManager loads both libraries by their names, or at these paths.
func loadManager(verbs, cm string) (*manager, error) {
	l, err := load(verbs)
	if err != nil {
		return nil, err
	}
	handle, err := purego.Dlopen(cm, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("the library for RDMA connections cannot be loaded (%w); Debian has it in the package librdmacm1", err)
	}
	m := &manager{library: l}
	if err := resolve(handle, cm, 15, []function{
		{"rdma_create_event_channel", &m.createEventChannel}, {"rdma_destroy_event_channel", &m.destroyEventChannel},
		{"rdma_create_id", &m.createID}, {"rdma_destroy_id", &m.destroyID}, {"rdma_migrate_id", &m.migrateID},
		{"rdma_bind_addr", &m.bindAddr}, {"rdma_resolve_addr", &m.resolveAddr}, {"rdma_resolve_route", &m.resolveRoute},
		{"rdma_create_qp", &m.makeQP}, {"rdma_destroy_qp", &m.unmakeQP},
		{"rdma_connect", &m.connect}, {"rdma_disconnect", &m.disconnect},
		{"rdma_listen", &m.listen}, {"rdma_accept", &m.accept}, {"rdma_reject", &m.reject},
		{"rdma_get_cm_event", &m.getEvent}, {"rdma_ack_cm_event", &m.ackEvent},
	}); err != nil {
		return nil, err
	}
	handle, err = purego.Dlopen(verbs, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, err
	}
	return m, resolve(handle, verbs, 25, []function{{"ibv_reg_mr_iova", &m.regMRAt}, {"ibv_wc_status_str", &m.statusText}})
}
