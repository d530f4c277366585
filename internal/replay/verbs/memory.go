//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An arena is memory that C sees: the garbage collector neither moves nor frees it.
type arena struct {
	bytes []byte
	used  int
}

func newArena(size int) (*arena, error) {
	data, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	return &arena{bytes: data}, err
}

// make returns zeroed bytes that begin at a multiple of 8. The arena has to have them.
func (a *arena) make(size int) []byte {
	at := a.used
	a.used += (size + 7) &^ 7
	return a.bytes[at : at+size : at+size]
}

func (a *arena) free() error {
	if a.bytes == nil {
		return nil
	}
	data := a.bytes
	a.bytes = nil
	return unix.Munmap(data)
}

// address is where the bytes of an arena are.
func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// at is a place in memory of C.
func at(base uintptr, offset int) unsafe.Pointer {
	base += uintptr(offset)
	return *(*unsafe.Pointer)(unsafe.Pointer(&base))
}

func pointerAt(base uintptr, offset int) uintptr { return *(*uintptr)(at(base, offset)) }
func int32At(base uintptr, offset int) int32     { return *(*int32)(at(base, offset)) }

// textAt is a text of at most size bytes that ends with a zero.
func textAt(base uintptr, offset, size int) string {
	b := unsafe.Slice((*byte)(at(base, offset)), size)
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// A structure is one of C in an arena.
type structure []byte

func (s structure) pointer(offset int, v uintptr) {
	binary.NativeEndian.PutUint64(s[offset:], uint64(v))
}

func (s structure) word(offset int, v uint32) { binary.NativeEndian.PutUint32(s[offset:], v) }
func (s structure) wordAt(offset int) uint32  { return binary.NativeEndian.Uint32(s[offset:]) }
func (s structure) quadAt(offset int) uint64  { return binary.NativeEndian.Uint64(s[offset:]) }
