//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// errNoDevice says why libibverbs may know no device.
func errNoDevice() error {
	const none = "libibverbs knows no device"
	if denied := ofMachine().denied(); denied != nil {
		return denied // the library leaves out what it may not open
	}
	if kernel, err := os.ReadDir("/sys/class/infiniband"); err == nil && len(kernel) > 0 {
		return fmt.Errorf("%s, and the kernel has %s: its provider is missing, which Debian has in the package ibverbs-providers", none, kernel[0].Name())
	}
	if _, err := os.Stat("/sys/class/infiniband_verbs"); err != nil {
		return errors.New(none + ": " + noSupport)
	}
	return errors.New(none + ", and the kernel has none ('rdma link add rxe0 type rxe netdev eth0' makes one in software)")
}

// noSupport is what is reported where the kernel's modules are not loaded.
const noSupport = "the kernel has no RDMA support loaded (modprobe -a ib_uverbs rdma_ucm, and the device's driver)"

// eachDevice hands on each ibv_device until it is told that there is no need of more.
// count is memory for an int.
func (l *library) eachDevice(count []byte, f func(device uintptr) (more bool, err error)) error {
	list, err := l.pointer(l.getDeviceList, address(count))
	switch {
	case errors.Is(err, syscall.ENOSYS):
		return errors.New(noSupport)
	case err != nil:
		return fmt.Errorf("RDMA devices cannot be listed: %w", err)
	}
	defer func() { _, _ = l.call(l.freeDeviceList, list) }() // which returns nothing
	for i := range int(int32At(address(count), 0)) {
		if more, err := f(pointerAt(list, i*8)); !more || err != nil {
			return err
		}
	}
	return nil
}

// open opens an ibv_device.
func (l *library) open(device uintptr) (context uintptr, err error) {
	file := "/dev/infiniband/" + textAt(device, deviceDevName, deviceText)
	if context, err = l.pointer(l.openDevice, device); err != nil {
		files := ofMachine()
		if why := files.open(file); errors.Is(why, fs.ErrPermission) {
			return 0, files.noAccess(file, why) // the library says ENOENT
		} else if why != nil {
			err = why
		}
		return 0, fmt.Errorf("cannot be opened: %w", err)
	}
	return context, nil
}

// describe asks an open device what it can do. attr is memory of deviceAttrSize.
func (l *library) describe(context uintptr, attr []byte) (transport.Device, error) {
	device := pointerAt(context, 0)
	d := transport.Device{Name: textAt(device, deviceName, deviceText)}
	if err := l.status(l.queryDevice, context, address(attr)); err != nil {
		return d, fmt.Errorf("%s: cannot be asked: %w", d.Name, err)
	}
	a := structure(attr)
	d.IWARP = int32At(device, deviceTransport) == transportIWARP
	d.Windows = a.wordAt(deviceAttrFlags)&(windowsType2A|windowsType2B) != 0
	soft := d.IWARP && a.wordAt(deviceAttrVendor) == vendorSoftIWARP
	d.Offsets, d.InvalidatesPlain = !soft, soft
	d.MostWork, d.MostCompletions = int(a.wordAt(deviceAttrMaxWR)), int(a.wordAt(deviceAttrMaxCQE))
	d.MostReads, d.MostOwnReads = int(a.wordAt(deviceAttrMaxRdAtom)), int(a.wordAt(deviceAttrMaxInitRdAtom))
	return d, nil
}
