package log

import (
	"strconv"
	"strings"
)

// Name says what the name of a file in a log folder means.
type Name struct {
	Role    Role
	ID      int64 // batch id, of every role but Other; -1 if the name holds none
	Compact bool  // <id>.compact
}

// Role is what a file in a log folder is for.
type Role byte

// The roles of files in a log folder.
const (
	Other     Role = iota // not of Spark's making: "_8", "6 (1)", "notes.txt"
	LogFile               // "8", "9.compact"
	Temp                  // ".8.<uuid>.tmp", ".8.<uuid>.TID12.tmp": written and not yet renamed
	HadoopCRC             // ".8.crc": checksum of 8 by Hadoop's local file system
	TempCRC               // "..8.<uuid>.tmp.crc": the same of a temporary file
	SparkCRC              // "8.crc": checksum by Spark 4.1 and later
)

// ParseName reads a name as Spark's log readers do: the whole name must parse as a signed 64-bit
// decimal, so "08" and "+8" are batch 8. A file named with a number below 0 is never found by Spark.
func ParseName(name string) Name {
	base, compact := strings.CutSuffix(name, ".compact")
	if id, err := strconv.ParseInt(base, 10, 64); err == nil && id >= 0 {
		return Name{LogFile, id, compact}
	}
	if base, ok := strings.CutSuffix(name, ".crc"); ok {
		switch {
		case strings.HasPrefix(base, ".."):
			return Name{TempCRC, leading(base[2:]), false}
		case strings.HasPrefix(base, "."):
			if strings.HasSuffix(base, ".tmp") {
				return Name{TempCRC, leading(base[1:]), false}
			}
			return Name{HadoopCRC, leading(base[1:]), strings.HasSuffix(base, ".compact")}
		default:
			return Name{SparkCRC, leading(base), strings.HasSuffix(base, ".compact")}
		}
	}
	if strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp") {
		return Name{Temp, leading(name[1:]), false}
	}
	return Name{Other, -1, false}
}

// leading is the number that a name begins with, up to a dot or underscore; -1 if there is none.
func leading(name string) int64 {
	if i := strings.IndexAny(name, "._"); i >= 0 {
		name = name[:i]
	}
	id, err := strconv.ParseInt(name, 10, 64)
	if err != nil || id < 0 {
		return -1
	}
	return id
}
