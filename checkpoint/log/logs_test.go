package log

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/checkpoint/decode"
)

const whole = "v1\n" +
	`{"batchWatermarkMs":1764403200000,"batchTimestampMs":1764403267000,"conf":{"spark.sql.shuffle.partitions":"200"}}` + "\n" +
	`{"orders":{"0":1042,"1":998}}` + "\n-"

func TestParsePlan(t *testing.T) {
	t.Parallel()
	p := ParsePlan("offsets/7", []byte(whole), nil)
	if len(p.Problems) > 0 || p.Version != 1 || p.Watermark != 1764403200000 || p.Timestamp != 1764403267000 || p.Conf["spark.sql.shuffle.partitions"] != "200" {
		t.Fatalf("%+v", p)
	}
	if len(p.Sources) != 2 || !p.Sources[1].None {
		t.Fatalf("sources: %+v", p.Sources)
	}
	o := p.Sources[0]
	if got := fmt.Sprint(o.Where, " ", o.Parts[1].Name, " ", o.Parts[1].Position.Num); got != "offsets/7:3@117 orders/1 998" {
		t.Errorf("second partition: %s", got)
	}
	if at := o.Where.In(o.Parts[1].At).Offset; whole[at:at+3] != "998" {
		t.Errorf("position at %d: %q", at, whole[at:])
	}
}

func TestParsePlanNamedSources(t *testing.T) {
	t.Parallel()
	p := ParsePlan("offsets/2", []byte("v2\n{\"batchTimestampMs\":5}\nrefunds:{\"refunds\":{\"0\":7}}\n0:-"), nil)
	if len(p.Problems) > 0 || len(p.Sources) != 2 || p.Sources[0].Name != "refunds" || p.Sources[0].Parts[0].Position.Num != 7 || !p.Sources[1].None {
		t.Fatalf("%+v", p)
	}
}

// TestPlanProblems says for each way to break a plan what is told, and that the rest is still read.
func TestPlanProblems(t *testing.T) {
	t.Parallel()
	meta, line := `{"batchTimestampMs":5}`, `{"orders":{"0":1}}`
	for _, c := range []struct {
		name, text, want string
		sources          int
	}{
		{"no bytes", "", "empty offsets/7", 0},
		{"version only", "v1", "cut offsets/7:1@2", 0},
		{"metadata only", "v1\n" + meta, "cut offsets/7:2@25", 0},
		{"no version line", meta + "\n" + line, "no version offsets/7:1", 1},
		{"version 0", "v0\n" + meta + "\n" + line, "no version offsets/7:1", 1},
		{"blank after version", "v1 \n" + meta + "\n" + line, "no version offsets/7:1", 1},
		{"version 99", "v99\n" + meta + "\n" + line, "version unknown offsets/7:1", 1},
		{"byte order mark", "\ufeffv1\n" + meta + "\n" + line, "byte order mark offsets/7:1", 1},
		{"windows line ends", "v1\r\n" + meta + "\r\n" + line, "line ends offsets/7:1@2", 1},
		{"line feed at the end", "v1\n" + meta + "\n" + line + "\n", "extra line offsets/7:4@45", 1},
		{"two line feeds at the end", "v1\n" + meta + "\n" + line + "\n\n", "extra line offsets/7:4@45; extra line offsets/7:5@46", 2},
		{"empty metadata", "v1\n\n" + line, "no metadata offsets/7:2@3", 1},
		{"metadata cut", "v1\n{\"batch\n" + line, "cut offsets/7:2@10", 1},
		{"watermark a word", "v1\n{\"batchWatermarkMs\":\"x\"}\n" + line, "value offsets/7:2@23", 1},
		{"offset cut", "v1\n" + meta + "\n{\"orders\":{\"0\":1", "cut offsets/7:3@42", 1},
		{"offset below zero", "v1\n" + meta + "\n{\"orders\":{\"0\":-2}}", "value offsets/7:3@41", 1},
		{"watermark with a fraction", "v1\n{\"batchWatermarkMs\":5.5}\n" + line, "inexact offsets/7:2@23", 1},
		{"watermark twice", "v1\n{\"batchWatermarkMs\":5,\"batchWatermarkMs\":6}\n" + line, "value offsets/7:2@44", 1},
		{"conf a list", "v1\n{\"conf\":[]}\n" + line, "value offsets/7:2@11", 1},
		{"conf twice", "v1\n{\"conf\":{},\"conf\":{}}\n" + line, "value offsets/7:2@21", 1},
		{"setting a list", "v1\n{\"conf\":{\"a\":[]}}\n" + line, "value offsets/7:2@16", 1},
		{"setting a number", "v1\n{\"conf\":{\"a\":5}}\n" + line, "", 1},
		{"metadata a list", "v1\n[]\n" + line, "not an object offsets/7:2@3", 1},
		{"metadata of blanks", "v1\n \t\n" + line, "no metadata offsets/7:2@5", 1},
		{"behind the metadata", "v1\n" + meta + "x\n" + line, "trailing offsets/7:2@25", 1},
		{"behind the offset", "v1\n" + meta + "\n" + line + "\x00", "trailing offsets/7:3@44", 1},
		{"blank before a number", "v1\n" + meta + "\n 5", "value offsets/7:3@26", 1},
		{"no UTF-8", "v1\n" + meta + "\n{\"or\xffders\":{\"0\":1}}", "encoding offsets/7:3@30", 1},
		{"carriage returns alone", "v1\r" + meta + "\r" + line, "line ends offsets/7:1@2", 1},
		{"version 2 without names", "v2\n" + meta + "\n" + line, "malformed offsets/7:3@26", 1},
	} {
		p := ParsePlan("offsets/7", []byte(c.text), nil)
		var got []string
		for _, e := range p.Problems {
			got = append(got, fmt.Sprintf("%s %s", e.Flaw, e.Where))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" || len(p.Sources) != c.sources {
			t.Errorf("%s: %d sources\n%s", c.name, len(p.Sources), diff)
		}
	}
}

func TestParseCommit(t *testing.T) {
	t.Parallel()
	c := ParseCommit("commits/3", []byte(`v2`+"\n"+`{"nextBatchWatermarkMs":9,"stateUniqueIds":{"0":[["a"],["b","c"]]}}`))
	if len(c.Problems) > 0 || c.Version != 2 || c.NextWatermark != 9 || !cmp.Equal(c.StateUniqueIDs, map[string][][]string{"0": {{"a"}, {"b", "c"}}}) {
		t.Errorf("version 2: %+v", c)
	}
	c = ParseCommit("commits/3", []byte(`v3`+"\n"+`{"nextBatchWatermarkMs":0,"sinkMetadataMap":{"s":{"sinkName":"s","providerName":"noop","apiVersion":"DSv2","isActive":true}}}`))
	if len(c.Problems) > 0 || !cmp.Equal(c.Sinks, []Sink{{"s", "noop", "DSv2", true}}) {
		t.Errorf("version 3: %+v", c)
	}
	if c := ParseCommit("commits/3", []byte("v1")); len(c.Problems) > 0 {
		t.Errorf("a commit of its version line alone is legal, as continuous mode writes it: %v", c.Problems)
	}
	for text, want := range map[string]decode.Flaw{"v1\n{": decode.Cut, "v1\n\n{}": decode.Blank, "v1\n{}}": decode.Trailing, "v1\n5": decode.NotObject, "v1\n{}\xff": decode.Encoding} {
		if c := ParseCommit("commits/3", []byte(text)); !c.Has(want) {
			t.Errorf("%q: %v, want %s", text, c.Problems, want)
		}
	}
	if c := ParseCommit("commits/3", []byte("v1\t\n{\"nextBatchWatermarkMs\":1e3}")); c.Version != 1 || c.NextWatermark != 1000 || !c.Has(decode.Inexact) {
		t.Errorf("a number that Spark cuts: %+v", c)
	}
}

func TestParseMetadata(t *testing.T) {
	t.Parallel()
	const id = "1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"
	for text, want := range map[string]string{
		`{"id":"` + id + "\"}\n": "", `{"id":"` + strings.ToUpper(id) + `"}`: "", `{"id":"1-1-1-1-1"}`: "",
		"": "empty", " \n": "blank", "{}": "value", "{": "cut", "v1\n{}": "malformed", `[1]`: "not an object value",
		"\ufeff" + `{"id":"` + id + `"}`: "byte order mark", `{"id":"` + id + "\"}\x00\x00": "trailing",
		`{"id":null}`: "value", `{"id":"` + id + `","id":"` + id + `"}`: "value",
		`{"id":"orders"}`: "not a UUID", `{"id":5}`: "not a UUID", `{"id":"` + id + `0"}`: "not a UUID", `{"id":"g` + id[1:] + `"}`: "not a UUID", `{"id":"1--1-1-1"}`: "not a UUID",
	} {
		m := ParseMetadata("metadata", []byte(text))
		var flaws []string
		for _, e := range m.Problems {
			flaws = append(flaws, string(e.Flaw))
		}
		if got := strings.Join(flaws, " "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestParseName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Name{
		"8": {LogFile, 8, false}, "08": {LogFile, 8, false}, "+8": {LogFile, 8, false}, "9.compact": {LogFile, 9, true},
		".8.crc": {HadoopCRC, 8, false}, ".9.compact.crc": {HadoopCRC, 9, true}, "8.crc": {SparkCRC, 8, false},
		".8.4d32b419-a1a2-4897-8d3c-366badc25f9d.tmp":       {Temp, 8, false},
		".8.4d32b419-a1a2-4897-8d3c-366badc25f9d.TID12.tmp": {Temp, 8, false},
		"..8.4d32b419-a1a2-4897-8d3c-366badc25f9d.tmp.crc":  {TempCRC, 8, false},
		"-1": {Other, -1, false}, "_8": {Other, -1, false}, "6 (1)": {Other, -1, false}, "8.tmp": {Other, -1, false}, "": {Other, -1, false},
	} {
		if got := ParseName(name); got != want {
			t.Errorf("%q: %+v, want %+v", name, got, want)
		}
	}
}

func TestVerifyHadoopCRC(t *testing.T) {
	t.Parallel()
	data := []byte("123456789") // its CRC-32 is the well-known check value cbf43926
	sum := []byte("crc\x00\x00\x00\x02\x00\xcb\xf4\x39\x26")
	if err := VerifyHadoopCRC("a", data, ".a.crc", sum); err != nil {
		t.Error(err)
	}
	if err := VerifyHadoopCRC("a", nil, ".a.crc", sum[:8]); err != nil {
		t.Errorf("an empty file: %v", err)
	}
	for name, c := range map[string]struct {
		data, sum []byte
		want      decode.Flaw
	}{
		"changed":       {[]byte("123456780"), sum, decode.Checksum},
		"longer":        {make([]byte, 600), sum, decode.Checksum},
		"no checksum":   {data, nil, decode.Malformed},
		"no pieces":     {data, []byte("crc\x00\x00\x00\x00\x00"), decode.Malformed},
		"other content": {data, []byte("nonsense and more"), decode.Malformed},
	} {
		if err := VerifyHadoopCRC("a", c.data, ".a.crc", c.sum); err == nil || err.Flaw != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// TestCutEverywhere cuts good files at every byte: no panic, and a problem at every cut that loses
// something. A cut between lines of sources loses a source, which the file alone cannot show.
func TestCutEverywhere(t *testing.T) {
	t.Parallel()
	for n := range len(whole) {
		text := whole[:n]
		if lines := strings.Split(text, "\n"); len(lines) == 3 && lines[2] == whole[117:146] || strings.HasSuffix(text, "}}\n") && len(lines) == 4 {
			continue
		}
		if p := ParsePlan("offsets/7", []byte(text), nil); len(p.Problems) == 0 {
			t.Errorf("plan cut at %d: no problem in %q", n, text)
		}
	}
	commit := "v1\n" + `{"nextBatchWatermarkMs":1764403200000}`
	for n := range len(commit) {
		if c := ParseCommit("commits/7", []byte(commit[:n])); len(c.Problems) == 0 && n != 2 && n != 3 {
			t.Errorf("commit cut at %d: no problem in %q", n, commit[:n])
		}
	}
	metadata := `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`
	for n := range len(metadata) {
		if m := ParseMetadata("metadata", []byte(metadata[:n])); len(m.Problems) == 0 {
			t.Errorf("metadata cut at %d: no problem", n)
		}
	}
}

func FuzzParsePlan(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("v2\n{}\na:{\"logOffset\":1}\n"))
	cache := new(ConfCache)
	f.Fuzz(func(t *testing.T, data []byte) {
		p := ParsePlan("offsets/7", data, cache)
		inside(t, data, p.Problems)
		for _, o := range p.Sources {
			if o.Where.Offset < 0 || o.Where.Offset > int64(len(data)) {
				t.Fatalf("source at %s of %d bytes", o.Where, len(data))
			}
		}
	})
}

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("v2\n" + `{"nextBatchWatermarkMs":9,"stateUniqueIds":{"0":[["a"],["b","c"]]},"sinkMetadataMap":{"s":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) { inside(t, data, ParseCommit("commits/7", data).Problems) })
}

func FuzzParseMetadata(f *testing.F) {
	f.Add([]byte(`{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`))
	f.Fuzz(func(t *testing.T, data []byte) { inside(t, data, ParseMetadata("metadata", data).Problems) })
}

func FuzzVerifyHadoopCRC(f *testing.F) {
	f.Add([]byte("123456789"), []byte("crc\x00\x00\x00\x02\x00\xcb\xf4\x39\x26"))
	f.Fuzz(func(t *testing.T, data, sum []byte) {
		if err := VerifyHadoopCRC("a", data, ".a.crc", sum); err != nil && err.Offset > int64(max(len(data), len(sum))) {
			t.Fatalf("%v is outside of the file", err)
		}
	})
}

// inside holds every problem to a place within the file.
func inside(t *testing.T, data []byte, problems []*decode.Error) {
	t.Helper()
	for _, e := range problems {
		if e.Offset < 0 || e.Offset > int64(len(data)) || e.Flaw == "" || e.Err == nil {
			t.Fatalf("%+v in %d bytes", e, len(data))
		}
		if _, ok := errors.AsType[*decode.Error](error(e)); !ok {
			t.Fatalf("%T", e)
		}
	}
}
