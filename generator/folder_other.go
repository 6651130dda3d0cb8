//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package generator

import (
	"errors"
	"os"
)

// lockFolder says that there are no locks of folders.
func lockFolder(*os.File) (busy bool, err error) { return false, errors.ErrUnsupported }

// syncFolder does nothing: a folder cannot be synced.
func syncFolder(*os.File) error { return nil }
