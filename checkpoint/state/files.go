package state

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Role is what a file of a state store holds.
type Role byte

// The roles of files in a state store. Delta and Changelog are what one batch changed; Snapshot and
// Zip are a whole version.
const (
	Delta     Role = iota // <V>.delta: HDFS-backed provider
	Snapshot              // <V>.snapshot: HDFS-backed provider
	Changelog             // <V>.changelog: RocksDB provider, since 3.5
	Zip                   // <V>.zip: RocksDB provider, since 3.2
)

var endings = [...]string{Delta: "delta", Snapshot: "snapshot", Changelog: "changelog", Zip: "zip"}

func (r Role) String() string { return endings[r] }

// Whole reports whether a file of this role holds a version complete, not what one batch changed.
func (r Role) Whole() bool { return r == Snapshot || r == Zip }

// RocksDB reports whether the RocksDB provider writes files of this role.
func (r Role) RocksDB() bool { return r == Changelog || r == Zip }

// File is one file of a state store, as it was listed. A store may have hundreds.
type File struct {
	Version  int64
	Size     int64  // bytes
	Modified int64  // as the store reports it, ms since the epoch, UTC; 0 where it has none
	ID       string // of checkpoint format 2 (4.0 on): "7_<id>.zip"; "" in format 1
	Role     Role
	Sums     Sums // the checksum files beside it
}

// Sums says which checksum files lie beside a state file.
type Sums byte

// The checksum files of a state file.
const (
	SparkSum  Sums = 1 << iota // "7.delta.crc": JSON, by Spark 4.1 on
	HadoopSum                  // ".7.delta.crc": by Hadoop's local file system
	SumOfSum                   // ".7.delta.crc.crc": by the same, of Spark's checksum file
)

// Name is the file's base name, as Spark writes it.
func (f File) Name() string { return Name(f.Version, f.ID, f.Role) }

// Name is the base name of a version's file; id is "" in checkpoint format 1.
func Name(version int64, id string, r Role) string {
	name := strconv.FormatInt(version, 10)
	if id != "" {
		name += "_" + id
	}
	return name + "." + r.String()
}

// ParseName reads the base name of a state file: "7.delta", "7_<id>.changelog". Only names that
// Spark would write are state files: it opens them by name, so "07.delta" is never found.
func ParseName(name string) (f File, ok bool) {
	stem, ending, _ := strings.Cut(name, ".")
	r := slices.Index(endings[:], ending)
	if r < 0 {
		return f, false
	}
	number, id, _ := strings.Cut(stem, "_")
	v, err := strconv.ParseInt(number, 10, 64)
	f = File{Version: v, ID: id, Role: Role(r)}
	return f, err == nil && v > 0 && f.Name() == name
}

// ParseSum reads the name of a checksum file: which file it is of, and who wrote it.
func ParseSum(name string) (of string, sum Sums) {
	of, ok := strings.CutSuffix(name, ".crc")
	if !ok {
		return "", 0
	}
	if of, ok = strings.CutPrefix(of, "."); !ok {
		return of, SparkSum
	}
	if of, ok = strings.CutSuffix(of, ".crc"); ok {
		return of, SumOfSum
	}
	return of, HadoopSum
}

// Sort puts files in the order that this package asks for: by version, then role, then id.
func Sort(files []File) {
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(a.Version, b.Version), cmp.Compare(a.Role, b.Role), cmp.Compare(a.ID, b.ID))
	})
}

// Newest is the highest version that has a file; 0 when there is none. files are sorted.
func Newest(files []File) int64 {
	if len(files) == 0 {
		return 0
	}
	return files[len(files)-1].Version
}
