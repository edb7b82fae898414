package log

import (
	"strings"
	"testing"
)

func TestParseInitialOffsets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, data string
		old        bool
		version    int
		kind, text string
	}{
		{"Kafka", "\x00v1\n" + `{"orders":{"0":23,"1":0}}`, false, 1, "kafka", `{"orders":{"0":23,"1":0}}`},
		{"Kafka of 2.1.0", "\x19" + `{"orders":{"0":23,"1":0}}`, true, 0, "kafka", `{"orders":{"0":23,"1":0}}`},
		{"its length a multiple of 256", "\x00" + `{"orders":{"0":23}}`, true, 0, "kafka", `{"orders":{"0":23}}`},
		{"its length 123, a brace", "{" + `{"orders":{"0":23}}`, true, 0, "kafka", `{"orders":{"0":23}}`},
		{"rate", "v1\n1764403200000", false, 1, "rate", "1764403200000"},
		{"rate-micro-batch", "v1\n" + `{"offset":0,"timestamp":0}`, false, 1, "rate-micro-batch", `{"offset":0,"timestamp":0}`},
		{"Iceberg", `{"version":1,"snapshot_id":8236465713390021201,"position":0,"scan_all_files":false}`, false, 0, "iceberg",
			`{"version":1,"snapshot_id":8236465713390021201,"position":0,"scan_all_files":false}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := ParseInitialOffsets("sources/0/0", []byte(c.data))
			if len(n.Problems) > 0 {
				t.Fatal(n.Problems)
			}
			if n.Old != c.old || n.Version != c.version || n.Text != c.text || n.Offset.KindNames()[0] != c.kind {
				t.Errorf("old %t, v%d, %v, %q", n.Old, n.Version, n.Offset.KindNames(), n.Text)
			}
		})
	}
}

func TestInitialOffsetsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "empty sources/0/0"},
		{"only the zero byte", "\x00", "cut sources/0/0:1@1"},
		{"only the version", "\x00v1", "cut sources/0/0:1@3"},
		{"no offset", "\x00v1\n", "cut sources/0/0:2@4"},
		{"cut", "\x00v1\n" + `{"orders":{"0":2`, "cut sources/0/0:2@20"},
		{"v2", "\x00v2\n" + `{"orders":{"0":2}}`, "version unknown sources/0/0:1@1"},
		{"not resolved", "\x00v1\n" + `{"orders":{"0":-2}}`, "value sources/0/0:2@19"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := ParseInitialOffsets("sources/0/0", []byte(c.data))
			var got []string
			for _, p := range n.Problems {
				got = append(got, string(p.Flaw)+" "+p.Where.String())
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestInitialOffsetsCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, whole := range []string{"\x00v1\n" + `{"orders":{"0":23,"1":0}}`, "\x19" + `{"orders":{"0":23,"1":0}}`, `{"version":1,"snapshot_id":82,"position":0,"scan_all_files":false}`} {
		for n := range len(whole) {
			if len(ParseInitialOffsets("sources/0/0", []byte(whole[:n])).Problems) == 0 {
				t.Errorf("%q cut at %d: no problem", whole, n)
			}
		}
	}
}

func TestParseShard(t *testing.T) {
	t.Parallel()
	const whole = `{"shardId":"shardId-000000000000","iteratorType":"AFTER_SEQUENCE_NUMBER","iteratorPosition":"4960","subSequenceNumber":"-1","isLast":"true"}`
	s := ParseShard("sources/0/shard-commit/1/shardId-000000000000", []byte(whole))
	if s.ID != "shardId-000000000000" || s.Type != "AFTER_SEQUENCE_NUMBER" || s.Position != "4960" || len(s.Problems) > 0 {
		t.Errorf("%+v", s)
	}
	if s := ParseShard("f", []byte("v1\n"+whole)); s.Position != "4960" || len(s.Problems) > 0 {
		t.Errorf("with a version line: %+v", s)
	}
	for n := range len(whole) {
		if len(ParseShard("f", []byte(whole[:n])).Problems) == 0 {
			t.Errorf("cut at %d: no problem", n)
		}
	}
}

func FuzzInitialOffsets(f *testing.F) {
	f.Add([]byte("\x00v1\n" + `{"orders":{"0":23,"1":0}}`))
	f.Add([]byte("\x19" + `{"orders":{"0":23}}`))
	f.Add([]byte("v1\n1764403200000"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := ParseInitialOffsets("f", data)
		if n.Text == "" && len(n.Problems) == 0 {
			t.Fatalf("%q: nothing read and nothing said", data)
		}
		for _, p := range n.Problems {
			if p.Where.Offset < 0 || p.Where.Offset > int64(len(data)) {
				t.Fatalf("%q: %s", data, p)
			}
		}
		ParseShard("f", data)
	})
}
