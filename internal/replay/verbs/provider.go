//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"fmt"
	"sync"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// A provider loads the libraries when they are first needed.
type provider struct {
	verbs, cm string
	once      sync.Once
	manager   *manager
	err       error
}

// New returns the provider of this machine's RDMA devices. The loader finds the libraries by
// their names, Library and ManagerLibrary; nothing is loaded before it is needed.
func New(verbs, cm string) transport.Provider { return &provider{verbs: verbs, cm: cm} }

func (p *provider) load() (*manager, error) {
	p.once.Do(func() { p.manager, p.err = loadManager(p.verbs, p.cm) })
	return p.manager, p.err
}

// Devices asks each device what it can do.
func (p *provider) Devices() (list []transport.Device, err error) {
	m, err := p.load()
	if err != nil {
		return nil, err
	}
	words, err := newArena(wordsSize)
	if err != nil {
		return nil, err
	}
	defer words.free()
	attr := words.make(deviceAttrSize)
	err = m.eachDevice(words.make(8), func(d uintptr) (bool, error) {
		opened, err := m.open(d)
		if err != nil {
			return false, fmt.Errorf("%s: %w", textAt(d, deviceName, deviceText), err)
		}
		defer func() { _ = m.status(m.closeDevice, opened) }()
		described, err := m.describe(opened, attr)
		list = append(list, described)
		return true, err
	})
	if err == nil && len(list) == 0 {
		return nil, errNoDevice()
	}
	return list, err
}
