//go:build unix

package keep

import "golang.org/x/sys/unix"

// allocate returns zeroed memory. It is not the garbage collector's: that would let as much
// garbage come together besides.
func allocate(n int) []byte {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return make([]byte, n)
	}
	return b
}

// deallocate gives back what allocate returned.
func deallocate(b []byte) {
	_ = unix.Munmap(b) // of what was made, it says that it was not mapped
}
