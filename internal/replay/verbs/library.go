//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"

	"github.com/ebitengine/purego"
)

// Library is the name by which the loader finds libibverbs.
const Library = "libibverbs.so.1"

// Built reports whether this build has a way to RDMA devices.
const Built = true

// A library is libibverbs with the functions that are called by name.
type library struct {
	errno                                uintptr
	getDeviceList, freeDeviceList        uintptr
	openDevice, closeDevice, queryDevice uintptr
	queryPort                            uintptr
	allocPD, deallocPD                   uintptr
	regMR, deregMR                       uintptr
	createChannel, destroyChannel        uintptr
	createCQ, destroyCQ                  uintptr
	getCQEvent, ackCQEvents              uintptr
	createQP, destroyQP, modifyQP        uintptr
}

// load loads a library of this name, or at this path.
func load(name string) (*library, error) {
	handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("the library for RDMA devices cannot be loaded (%w); Debian has it in the packages libibverbs1 and ibverbs-providers", err)
	}
	l := new(library)
	if err := resolve(handle, name, 15, []function{
		{"ibv_get_device_list", &l.getDeviceList}, {"ibv_free_device_list", &l.freeDeviceList},
		{"ibv_open_device", &l.openDevice}, {"ibv_close_device", &l.closeDevice}, {"ibv_query_device", &l.queryDevice},
		{"ibv_query_port", &l.queryPort}, {"ibv_alloc_pd", &l.allocPD}, {"ibv_dealloc_pd", &l.deallocPD},
		{"ibv_reg_mr", &l.regMR}, {"ibv_dereg_mr", &l.deregMR},
		{"ibv_create_comp_channel", &l.createChannel}, {"ibv_destroy_comp_channel", &l.destroyChannel},
		{"ibv_create_cq", &l.createCQ}, {"ibv_destroy_cq", &l.destroyCQ},
		{"ibv_get_cq_event", &l.getCQEvent}, {"ibv_ack_cq_events", &l.ackCQEvents},
		{"ibv_create_qp", &l.createQP}, {"ibv_destroy_qp", &l.destroyQP}, {"ibv_modify_qp", &l.modifyQP},
	}); err != nil {
		return nil, err
	}
	if l.errno, err = purego.Dlsym(purego.RTLD_DEFAULT, "__errno_location"); err != nil {
		return nil, fmt.Errorf("the C library is not glibc: %w", err)
	}
	return l, nil
}

// A function is one of a library, and where its address goes.
type function struct {
	name string
	at   *uintptr
}

// resolve finds the functions of a library, all of which rdma-core has since a version.
func resolve(handle uintptr, library string, since int, functions []function) (err error) {
	for _, f := range functions {
		if *f.at, err = purego.Dlsym(handle, f.name); err != nil {
			return fmt.Errorf("%s has no %s (%w): it is older than rdma-core %d, or another library", library, f.name, err, since)
		}
	}
	return nil
}

// call calls a function of C that returns a pointer or a number, and says by errno why
// it failed.
//
//go:uintptrescapes
func (l *library) call(f uintptr, args ...uintptr) (uintptr, error) {
	runtime.LockOSThread() // which errno is of
	defer runtime.UnlockOSThread()
	where, _, _ := purego.SyscallN(l.errno)
	errno := (*int32)(at(where, 0))
	*errno = 0
	r, _, _ := purego.SyscallN(f, args...)
	if *errno == 0 {
		return r, errNothing
	}
	return r, syscall.Errno(*errno)
}

// errNothing is why a call failed that said nothing of it.
var errNothing = errors.New("the library does not say why")

// pointer calls a function that returns a pointer, NULL if it failed.
//
//go:uintptrescapes
func (l *library) pointer(f uintptr, args ...uintptr) (uintptr, error) {
	r, err := l.call(f, args...)
	if r != 0 {
		return r, nil
	}
	return 0, err
}

// status calls a function that returns 0, or an errno, of which some providers change the
// sign, or -1 with errno.
//
//go:uintptrescapes
func (l *library) status(f uintptr, args ...uintptr) error {
	r, err := l.call(f, args...)
	switch n := int32(r); {
	case n == 0:
		return nil
	case n == -1:
		return err
	case n < 0:
		return syscall.Errno(-n)
	default:
		return syscall.Errno(n)
	}
}
