//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package generator

import (
	"errors"
	"os"
	"syscall"
)

// lockFolder takes the folder's lock unless another run holds it: then busy. Another error says that there are no locks.
func lockFolder(dir *os.File) (busy bool, err error) {
	err = syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR), err
}

// syncFolder makes renames in the folder survive a crash of the machine.
func syncFolder(dir *os.File) error { return dir.Sync() }
