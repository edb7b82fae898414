package trace

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// Paths of a trace, of whatever file system they are: hdfs://nn:8020/cp/orders/offsets/12,
// s3a://bucket/cp/orders/state/0/1/7.delta, file:/dbfs/cp/orders/commits/9. The folders of a checkpoint tell
// where its own names begin.

var (
	pathLike = patternOf(`[^\s"'<>|,;()\[\]{}]*/[^\s"'<>|,;()\[\]{}]+`)
	digits   = patternOf(`^\d{1,18}$`)
)

// files adds the files of a checkpoint that a text names.
func (t *Trace) files(text string) {
	for _, p := range pathLike.FindAllString(text, 400) {
		f, ok := fileIn(p)
		if !ok || slices.ContainsFunc(t.Files, func(g File) bool { return g.Name == f.Name }) {
			continue
		}
		if len(t.Files) < placeLimit {
			t.Files = append(t.Files, f)
		}
	}
}

// fileIn is the file of a checkpoint that a path names.
func fileIn(p string) (File, bool) {
	p = strings.TrimRight(p, ".:!?")
	parts := strings.Split(p, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if begins(parts[i:]) {
			name := path.Clean(strings.Join(parts[i:], "/"))
			return File{name, strings.Join(parts[:i], "/")}, !strings.Contains(name, "..")
		}
	}
	if n := len(parts) - 1; n > 0 && parts[n] == "metadata" {
		return File{"metadata", strings.Join(parts[:n], "/")}, true
	}
	return File{}, false
}

// begins reports whether these are the pieces of a name within a checkpoint.
func begins(parts []string) bool {
	if len(parts) < 2 || parts[1] == "" {
		return len(parts) == 1 && slices.Contains([]string{"state", "offsets", "commits", "sources"}, parts[0])
	}
	switch parts[0] {
	case "offsets", "commits":
		return len(parts) == 2 && logName(parts[1])
	case "sources":
		return true
	case "state":
		return digits.MatchString(parts[1]) && (len(parts) == 2 || digits.MatchString(parts[2]) || strings.HasPrefix(parts[2], "_"))
	}
	return false
}

// logName reports whether a name is one of a log: "12", "9.compact", and the temporary file and the checksum of one.
func logName(name string) bool {
	number, _, _ := strings.Cut(strings.TrimPrefix(name, "."), ".")
	return digits.MatchString(number)
}

// batchOfFile is the batch that a file of one of the two logs is of; -1 where none is.
func batchOfFile(files []File) int64 {
	for _, f := range files {
		if dir, base := path.Split(f.Name); dir == "offsets/" || dir == "commits/" {
			number, _, _ := strings.Cut(strings.TrimPrefix(base, "."), ".")
			if n, ok := numberOf(number); ok {
				return n
			}
		}
	}
	return -1
}

func numberOf(s string) (int64, bool) {
	if !digits.MatchString(s) {
		return 0, false
	}
	return number(s)
}

// storeOfFile is the state store that a file is of: state/0/17/119.delta, state/0/17/left-keyToNumValues/119.zip.
func storeOfFile(name string) (Store, bool) {
	parts := strings.Split(name, "/")
	if len(parts) < 3 || parts[0] != "state" || !digits.MatchString(parts[2]) {
		return Store{}, false
	}
	op, err := strconv.Atoi(parts[1])
	part, err2 := strconv.Atoi(parts[2])
	if err != nil || err2 != nil {
		return Store{}, false
	}
	s := Store{Operator: op, Partition: part, Version: -1}
	base := parts[len(parts)-1]
	if len(parts) > 4 && !digits.MatchString(parts[3]) && parts[3] != "SSTs" {
		s.Name = parts[3]
	}
	if number, rest, ok := strings.Cut(base, "."); ok && !strings.HasPrefix(rest, "sst") {
		number, _, _ = strings.Cut(number, "_") // "12_<id>.zip" of checkpoint format 2
		if n, ok := numberOf(number); ok {
			s.Version = n
		}
	}
	return s, true
}
