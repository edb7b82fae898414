package log

import (
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

const (
	savedPlan = "v1\n" +
		`{"batchWatermarkMs":1796000000000,"batchTimestampMs":1796000060000,"conf":{"spark.sql.shuffle.partitions":"200","spark.sql.streaming.multipleWatermarkPolicy":"min"}}` + "\n" +
		`{"orders":{"0":1042,"1":998}}` + "\n-"
	savedCommit   = "v1\n" + `{"nextBatchWatermarkMs":1796000000000}`
	savedMetadata = `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`
	savedOperator = "v1\n" + `{"operatorInfo":{"operatorId":0,"operatorName":"stateStoreSave"},"stateStoreInfo":[{"storeName":"default","numColsPrefixKey":0,"numPartitions":200}]}`
	savedEntries  = "v1\n" + `{"path":"s3a://lake/in/a.json","timestamp":1796000000000,"batchId":3}` + "\n" + `{"path":"s3a://lake/in/b.json","timestamp":1796000000001,"batchId":3}`
)

func find(all []decode.Salvaged, name string) (decode.Salvaged, bool) {
	for _, s := range all {
		if s.Name == name {
			return s, true
		}
	}
	return decode.Salvaged{}, false
}

// A file that is cut anywhere gives no value that the whole one does not have, and says where a value may be cut.
func TestSalvageOfACutFile(t *testing.T) {
	t.Parallel()
	for file, text := range map[string]string{
		"metadata": savedMetadata, "offsets/7": savedPlan, "commits/7": savedCommit, "state/0/_metadata/metadata": savedOperator, "state/0/_metadata/v2/7": savedOperator, "sources/0/3": savedEntries,
	} {
		for n := range len(text) + 1 {
			for _, s := range Salvage(file, []byte(text[:n])) {
				at := int(s.Where.Offset)
				if s.Name == "entries that parse" {
					continue
				}
				if s.Where.File != file || at+len(s.Value) > n || text[at:at+len(s.Value)] != s.Value {
					t.Fatalf("%s cut at %d: %+v is not what stands there", file, n, s)
				}
				if end := at + len(s.Value); !s.Cut && end < len(text) && !strings.ContainsRune("\",}\n", rune(text[end])) {
					t.Fatalf("%s cut at %d: %+v is called whole, and %q follows", file, n, s, text[end])
				}
			}
		}
	}
}

func TestSalvage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, text, name, value string
		cut                     bool
	}{
		{"metadata", savedMetadata[:20], "id", "1f0c9a2e-5b0c", true},
		{"metadata", "\ufeff" + savedMetadata, "id", "1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2", false},
		{"metadata", `{"id":"1f0c9a2e-5b0c` + "\x00\x00\x00", "id", "1f0c9a2e-5b0c", true},
		{"metadata", `2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`, "id", "2e-5b0c-4a44-9e1d-7c44d1e5a4c2", true},
		{"offsets/7", savedPlan[:60], "batchWatermarkMs", "1796000000000", false},
		{"offsets/7", savedPlan[:60], "batchTimestampMs", "1796", true},
		{"offsets/7", savedPlan[:120], "spark.sql.shuffle.partitions", "200", false},
		{"offsets/7", savedPlan[:len(savedPlan)-5], "source 0", `{"orders":{"0":1042,"1":99`, true},
		{"offsets/7", strings.Replace(savedPlan, "v1\n", "", 1), "batchWatermarkMs", "1796000000000", false},
		{"offsets/7", strings.Replace(savedPlan, "1042", "1\xff\xfe2", 1), "source 0", `{"orders":{"0":1`, true},
		{"offsets/7", strings.Replace(savedPlan, `"conf"`, "\x00\x01\x02", 1), "spark.sql.shuffle.partitions", "200", false},
		{"commits/7", savedCommit[:len(savedCommit)-4], "nextBatchWatermarkMs", "1796000000", true},
		{"state/0/_metadata/metadata", savedOperator[:70], "operatorName", "stateStoreSave", false},
		{"sources/0/3", savedEntries[:len(savedEntries)-52], "path", "s3a://la", true},
		{"sources/0/3", savedEntries[:len(savedEntries)-52], "entries that parse", "1", false},
		{"sources/0/0", "\x00v1\n" + `{"orders":{"0":10`, "line", `{"orders":{"0":10`, true},
	} {
		all := Salvage(c.file, []byte(c.text))
		s, ok := find(all, c.name)
		if !ok || s.Value != c.value || s.Cut != c.cut {
			t.Errorf("%s %q: %s is %+v; all: %+v", c.file, c.text, c.name, s, all)
		}
	}
	for file, text := range map[string]string{"metadata": "{}", "offsets/7": "\x00\x00", "commits/7": "", "state/0/0/1.delta": savedCommit, "other": savedCommit} {
		if all := Salvage(file, []byte(text)); len(all) > 0 {
			t.Errorf("%s %q: %+v", file, text, all)
		}
	}
}

// However much a file holds, what is kept of it has bounds.
func TestSalvageHasBounds(t *testing.T) {
	t.Parallel()
	long := "v1\n" + `{"batchWatermarkMs":0,"conf":{` + strings.Repeat(`"a":"`+strings.Repeat("x", 1000)+`",`, 300)
	for _, file := range []string{"offsets/7", "commits/7", "sources/0/3", "state/0/_metadata/metadata"} {
		all := Salvage(file, []byte(long+strings.Repeat("\n{\"b", 1000)))
		size := 0
		for _, s := range all {
			size += len(s.Value)
		}
		if len(all) > decode.SalvageCount || size > decode.SalvageCount*decode.SalvageLength {
			t.Errorf("%s: %d values, %d bytes", file, len(all), size)
		}
	}
}
