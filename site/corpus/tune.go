package corpus

import (
	"os"
	"strconv"
)

func tune(name string, def int64) int64 {
	if n, err := strconv.ParseInt(os.Getenv("T_"+name), 10, 64); err == nil {
		return n
	}
	return def
}

var boundUsed int64
