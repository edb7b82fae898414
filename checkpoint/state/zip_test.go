package state

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tidemark/checkpoint/decode"
	"tidemark/internal/testfiles"
)

// zips yields the RocksDB snapshots of a golden checkpoint by their names in it.
func zips(t testing.TB, archive string) iter.Seq2[string, []byte] {
	t.Helper()
	return func(yield func(string, []byte) bool) {
		for head, data := range testfiles.In(t, filepath.Join(golden, archive+".tar.gz")) {
			if strings.HasSuffix(head.Name, ".zip") && !yield(strings.TrimPrefix(head.Name, "checkpoint/"), data) {
				return
			}
		}
	}
}

// TestZips reads every RocksDB snapshot that Spark wrote.
func TestZips(t *testing.T) {
	t.Parallel()
	read, joins, families, damaged := 0, map[int]int{}, 0, map[string]string{}
	for _, archive := range archives(t) {
		for name, data := range zips(t, archive) {
			z, err := OpenZip(name, bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Errorf("%s: %v", archive, err)
				continue
			}
			read++
			joins[z.MergeOperator]++
			if len(z.Families) > 0 {
				families++
			}
			for _, p := range z.Problems {
				damaged[archive+" "+name] += p.Error()
			}
			if len(z.SSTs) == 0 && z.NumKeys > 0 || z.NumKeys < 0 {
				t.Errorf("%s %s: %d tables for %d keys", archive, name, len(z.SSTs), z.NumKeys)
			}
		}
	}
	t.Logf("%d snapshots, %v, %d with column families: %q", read, joins, families, damaged)
	if read < 600 || joins[1] == 0 || joins[2] == 0 || families == 0 {
		t.Errorf("%d snapshots, lists joined as %v, %d with column families", read, joins, families)
	}
	for archive := range damaged {
		if !strings.Contains(archive, "damage-flipped-zip") {
			t.Errorf("%s: %s", archive, damaged[archive])
		}
	}
	if len(damaged) != 2 {
		t.Errorf("%d damaged snapshots, want those of Spark 4.1 and 4.3", len(damaged))
	}
}

// aZip is the newest snapshot of a join of Spark 4.3, with five column families.
func aZip(t testing.TB) (data []byte) {
	t.Helper()
	for name, b := range zips(t, "state-4.3-rocks-join-v3") {
		if strings.HasSuffix(name, "/9.zip") {
			data = b
		}
	}
	if data == nil {
		t.Fatal("no 9.zip")
	}
	return data
}

func openZip(data []byte) (*ZipFile, error) {
	return OpenZip("9.zip", bytes.NewReader(data), int64(len(data)))
}

// TestZipOfAJoin says what stands in the metadata, name by name.
func TestZipOfAJoin(t *testing.T) {
	t.Parallel()
	z, err := openZip(aZip(t))
	if err != nil {
		t.Fatal(err)
	}
	want := &ZipFile{
		File: "9.zip",
		SSTs: []SST{
			{"000015.sst", "000015-e2a452b1-6027-4fbe-af25-d290f2419397.sst", 1287},
			{"000013.sst", "000013-b279f54c-c4bf-4998-ab64-013659ad3306.sst", 1399},
			{"000012.sst", "000012-4c2097ad-92d7-4356-93b1-18bbd2ce2c3d.sst", 1600},
			{"000016.sst", "000016-4c7ab6bc-7388-469c-be48-8802d511ec10.sst", 1447},
			{"000014.sst", "000014-627faf30-be6b-4b7f-af9b-8b25e7285964.sst", 1439},
		},
		NumKeys:         10,
		NumInternalKeys: 8,
		Families: map[string]int{"default": 1, "left-keyToNumValues": 2, "left-keyWithIndexToValue": 3,
			"right-keyToNumValues": 4, "right-keyWithIndexToValue": 5},
		Internal: map[string]bool{"default": false, "left-keyToNumValues": true, "left-keyWithIndexToValue": false,
			"right-keyToNumValues": true, "right-keyWithIndexToValue": false},
		MergeOperator: 2,
		ManifestName:  "MANIFEST-000005",
	}
	if diff := cmp.Diff(want, z, cmpopts.IgnoreFields(ZipFile{}, "Manifest")); diff != "" || len(z.Manifest) < 100 {
		t.Error(len(z.Manifest), diff)
	}
}

// TestZipCut: a snapshot that ends early never reads as a whole one, unless only its directory lacks,
// which neither Spark nor this reads.
func TestZipCut(t *testing.T) {
	t.Parallel()
	data := aZip(t)
	dir := bytes.Index(data, []byte("PK\x01\x02"))
	for n := range data {
		z, err := openZip(data[:n])
		if whole := err == nil && len(z.Problems) == 0; whole != (n >= dir) {
			t.Fatalf("cut at %d of %d, directory at %d: %v, %v", n, len(data), dir, z.Problems, err)
		}
		if _, ok := errors.AsType[*decode.Error](err); err != nil && !ok {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
}

// TestZipFlipped: a wrong bit in what a member holds, or in its checksum and sizes, is found.
func TestZipFlipped(t *testing.T) {
	t.Parallel()
	data := aZip(t)
	dir, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	flipped := 0
	for _, f := range dir.File {
		begin, err := f.DataOffset()
		if err != nil {
			t.Fatal(err)
		}
		end := begin + int64(f.CompressedSize64)
		for i := begin; i < end+16; i += 3 {
			if i == end-1 {
				continue // its upper bits are padding
			}
			damaged := bytes.Clone(data)
			damaged[i] ^= 0x11
			flipped++
			if z, err := openZip(damaged); err == nil && len(z.Problems) == 0 {
				t.Errorf("byte %d of %d, in %s: nothing found", i, len(data), f.Name)
			}
		}
	}
	if flipped < 1000 {
		t.Errorf("only %d bytes were flipped", flipped)
	}
}

// TestZipDamagedBeforeMetadata: where a member in front cannot be unpacked, the metadata are still found
// through the directory.
func TestZipDamagedBeforeMetadata(t *testing.T) {
	t.Parallel()
	data := aZip(t)
	whole, err := openZip(data)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(data)
	for i := range 40 {
		damaged[200+i] ^= 0x55 // in the MANIFEST, the first member
	}
	z, err := openZip(damaged)
	if err != nil || len(z.Problems) != 1 {
		t.Fatalf("%v, %v", err, z.Problems)
	}
	if diff := cmp.Diff(whole, z, cmpopts.IgnoreFields(ZipFile{}, "Problems", "ManifestName", "Manifest")); diff != "" {
		t.Error(diff)
	}
}

// member is one file to put into a made-up zip.
type member struct{ name, text string }

// pack makes a zip as Java's ZipOutputStream does: packed, sizes behind the member.
func pack(t testing.TB, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.Create(m.name)
		if err == nil {
			_, err = io.WriteString(f, m.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestZipProblems(t *testing.T) {
	t.Parallel()
	metadata := "v1\n" + `{"sstFiles":[{"localFileName":"000008.sst","dfsSstFileName":"000008-a.sst","sizeBytes":1064}],"numKeys":2}`
	good := func(metadata string) []member {
		return []member{{"MANIFEST-000005", "m"}, {"CURRENT", "MANIFEST-000005\n"}, {"OPTIONS-000007", "  merge_operator=nullptr\n"}, {"metadata", metadata}}
	}
	for _, c := range []struct {
		name    string
		members []member
		want    string // of the error and the problems, each once
	}{
		{"as it should be", good(metadata), ""},
		{"an empty write-ahead log is as it should be", append(good(metadata), member{"000004.log", ""}), ""},
		{"no members", nil, "9.zip: RocksDB snapshot: the metadata is missing among its 0 members"},
		{"no metadata", good("")[:3], "9.zip: RocksDB snapshot: the metadata is missing among its 3 members"},
		{"no CURRENT", slices.Delete(good(metadata), 1, 2), "9.zip: RocksDB snapshot: CURRENT is missing among its members"},
		{"no MANIFEST", good(metadata)[1:], "9.zip: RocksDB snapshot: a MANIFEST is missing among its members"},
		{"another MANIFEST", append(good(metadata)[1:], member{"MANIFEST-000009", "m"}), `9.zip: RocksDB snapshot: CURRENT names "MANIFEST-000005", which is not a member`},
		{"no OPTIONS", slices.Delete(good(metadata), 2, 3), "9.zip: RocksDB snapshot: an OPTIONS file is missing among its members"},
		{"an empty member", append(good(metadata)[1:], member{"MANIFEST-000005", ""}), "9.zip!MANIFEST-000005: RocksDB snapshot: the member is empty"},
		{"a version to come", good("v2\n{}"), `9.zip!metadata:1: metadata of a RocksDB snapshot: line 1 is "v2", not "v1"`},
		{"no version", good("{}"), `9.zip!metadata:1: metadata of a RocksDB snapshot: line 1 is "{}", not "v1"`},
		{"version alone", good("v1"), "9.zip!metadata:1@2: metadata of a RocksDB snapshot: nothing follows the version"},
		{"JSON that ends early", good(metadata[:40]), "9.zip!metadata:2@37: metadata of a RocksDB snapshot: the text ends inside the value"},
		{"no list of tables", good("v1\n{}"), "9.zip!metadata:2: metadata of a RocksDB snapshot: sstFiles is missing"},
		{"a list that is none", good("v1\n{\"sstFiles\":7}"), "9.zip!metadata:2@12: metadata of a RocksDB snapshot: sstFiles is not a list"},
		{"an item without a size", good(strings.Replace(metadata, "sizeBytes", "size", 1)), "9.zip!metadata:2@13: metadata of a RocksDB snapshot: an item of sstFiles lacks localFileName, dfsSstFileName or sizeBytes"},
		{"a name that leads elsewhere", good(strings.Replace(metadata, "000008-a.sst", "../../8.sst", 1)), `9.zip!metadata:2@60: metadata of a RocksDB snapshot: "../../8.sst" is not a file name`},
		{"a negative size", good(strings.Replace(metadata, "1064", "-1", 1)), `9.zip!metadata:2@87: metadata of a RocksDB snapshot: sizeBytes: "-1" is not a number from 0 to 9223372036854775807`},
		{"a count that is none", good(strings.Replace(metadata, `"numKeys":2`, `"numKeys":2.5`, 1)), `9.zip!metadata:2@104: metadata of a RocksDB snapshot: numKeys: "2.5" is not a number from -1 to 9223372036854775807`},
		{"metadata without an end", good("v1\n" + strings.Repeat(" ", metadataLimit)), "9.zip@232: RocksDB snapshot: member \"metadata\" has 8388611 bytes, too many to read"},
	} {
		z, err := openZip(pack(t, c.members...))
		var got []string
		for _, p := range z.Problems {
			got = append(got, p.Error())
		}
		if err != nil && !slices.Contains(got, err.Error()) {
			got = append(got, err.Error())
		}
		if s := strings.Join(got, "\n"); s != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, s, c.want)
		}
	}
}

func TestMergeOperator(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{
		"  merge_operator={id=StringAppendOperator;delimiter=,;}": 1,
		"  merge_operator=StringAppendOperator":                   2,
		"  merge_operator={id=StringAppendOperator;delimiter=;}":  2,
		"  merge_operator={id=StringAppendOperator;delimiter=|;}": 0,
		"  merge_operator=nullptr":                                0,
		"  merge_operator=UInt64AddOperator":                      0,
		"":                                                        0,
	} {
		if got := mergeOperator("[CFOptions \"default\"]\n" + line + "\n  comparator=x\n"); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}

func FuzzOpenZip(f *testing.F) {
	f.Add(aZip(f))
	f.Add(pack(f, member{"metadata", "v1\n{\"sstFiles\":[],\"numKeys\":-1}"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		z, err := openZip(data)
		if _, ok := errors.AsType[*decode.Error](err); z == nil || err != nil && !ok {
			t.Fatalf("%v, %v", z, err)
		}
		for _, s := range z.SSTs {
			if !baseName(s.Name) || s.Size < -1 {
				t.Fatalf("%+v", s)
			}
		}
	})
}

func BenchmarkOpenZip(b *testing.B) {
	data := aZip(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openZip(data); err != nil {
			b.Fatal(err)
		}
	}
}
