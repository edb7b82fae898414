package state

import (
	"os"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

func TestSchema(t *testing.T) {
	t.Parallel()
	tests := []struct {
		file, operator string
		version        int
		one            bool
		key, value     string // names and types of the last family
	}{
		{"session-3.5", "sessionWindowStateStoreSaveExec", 2, false, "user string, sessionStartTime timestamp", ""},
		{"dedup-3.5", "dedupe", 2, false, "", "__dummy__ void"},
		{"dedup-within-wm-3.5", "dedupeWithinWatermark", 2, false, "", "expiresAtMicros long"},
		{"window-agg-3.5", "stateStoreSave", 2, false, "", ""},
		{"global-limit-4.3", "globalLimit", 2, true, "key void", "value long"},
		{"fmgws-4.3", "flatMapGroupsWithState", 2, false, "", ""},
		{"join-v3-4.3", "stateStoreSave", 3, false, "field0 string, index long", "rts timestamp, rad string, rv integer, matched boolean"},
	}
	for _, test := range tests {
		data, err := os.ReadFile("testdata/" + test.file + ".schema")
		if err != nil {
			t.Fatal(err)
		}
		s := ParseSchema("schema", data)
		if len(s.Problems) > 0 || s.Version != test.version || s.Guess() != test.operator || s.OnePartition() != test.one {
			t.Errorf("%s: version %d, %s, one partition %t, %v", test.file, s.Version, s.Guess(), s.OnePartition(), s.Problems)
			continue
		}
		last := s.Families[len(s.Families)-1]
		for want, got := range map[string][]Field{test.key: last.Key, test.value: last.Value} {
			if want != "" && columns(got) != want {
				t.Errorf("%s: columns %q, want %q", test.file, columns(got), want)
			}
		}
		for n := range len(data) {
			if s := ParseSchema("schema", data[:n]); len(s.Problems) != 1 {
				t.Errorf("%s cut at %d: problems %v", test.file, n, s.Problems)
			}
		}
	}
}

func columns(fields []Field) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Name+" "+f.Type)
	}
	return strings.Join(names, ", ")
}

func TestSchemaFlaws(t *testing.T) {
	t.Parallel()
	tests := []struct {
		story string
		data  string
		flaw  decode.Flaw
	}{
		{"no bytes", "", decode.Empty},
		{"text", "garbage", decode.Cut},
		{"a newer version", "\x00\x02v4\x00", decode.VersionUnknown},
		{"no JSON", "\x00\x02v1\x00\x01x\x00\x01y", decode.Malformed},
		{"JSON of another shape", "\x00\x02v1\x00\x02[]\x00\x02[]", decode.Malformed},
		{"two billion chunks", "\x00\x02v2\x7f\xff\xff\xff", decode.Value},
		{"fewer than no families", "\x00\x02v3\xff\xff\xff\xff", decode.Value},
		{"two billion families", "\x00\x02v3\x7f\xff\xff\xff", decode.Value},
	}
	for _, test := range tests {
		s := ParseSchema("schema", []byte(test.data))
		if len(s.Problems) != 1 || s.Problems[0].Flaw != test.flaw || s.Problems[0].File != "schema" {
			t.Errorf("%s: %v, want %s", test.story, s.Problems, test.flaw)
		}
	}
}

func TestModifiedUTF8(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain é": "plain é", "a\xC0\x80b": "a\x00b", "\xED\xA0\xBD\xED\xB8\x80": "😀", "\xED\xA0\xBD": "\uFFFD\uFFFD\uFFFD", "\xFF": "\uFFFD",
	} {
		if got := modifiedUTF8([]byte(in)); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func FuzzSchema(f *testing.F) {
	for _, name := range []string{"session-3.5", "join-v3-4.3"} {
		data, err := os.ReadFile("testdata/" + name + ".schema")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := ParseSchema("schema", data)
		if len(s.Families) == 0 && len(s.Problems) == 0 && s.Version != 3 {
			t.Error("no family and no problem")
		}
		for _, p := range s.Problems {
			if p.Offset < 0 || p.Offset > int64(len(data)) {
				t.Errorf("problem at %d of %d bytes", p.Offset, len(data))
			}
		}
		s.Guess()
		s.OnePartition()
	})
}

func TestChecksum(t *testing.T) {
	t.Parallel()
	const good = `{"algorithm":"CRC32C","value":-825400502,"mainFileSize":120,"timestampMs":1795959976212,"creator":{"executorId":"driver","taskInfo":"Task= 0.0, Stage= 1.0"}}`
	c, problem := ParseChecksum("7.delta.crc", []byte(good))
	if problem != nil || c != (Checksum{-825400502, 120}) {
		t.Fatalf("%v, %v", c, problem)
	}
	for data, flaw := range map[string]decode.Flaw{
		"": decode.Empty, "crc\x00": decode.Malformed, good[:30]: decode.Cut, "{}": decode.VersionUnknown,
		strings.Replace(good, "-825400502", "4294967295", 1): decode.Value,
		strings.Replace(good, "120", "-1", 1):                decode.Value,
		strings.Replace(good, "CRC32C", "MD5", 1):            decode.VersionUnknown,
	} {
		if _, problem := ParseChecksum("7.delta.crc", []byte(data)); problem == nil || problem.Flaw != flaw {
			t.Errorf("%q: %v, want %s", data, problem, flaw)
		}
	}
	crc := uint32(1<<32 - 825400502)
	if e := c.Compare("7.delta", "7.delta.crc", 120, crc); e != nil {
		t.Errorf("the same file: %v", e)
	}
	for story, e := range map[string]*decode.Error{
		"other bytes": c.Compare("7.delta", "7.delta.crc", 120, 1), "other size": c.Compare("7.delta", "7.delta.crc", 119, crc), "listed size": c.CompareSize("7.delta", "7.delta.crc", 119),
	} {
		if e == nil || e.Flaw != decode.Checksum || e.File != "7.delta" {
			t.Errorf("%s: %v", story, e)
		}
	}
}
