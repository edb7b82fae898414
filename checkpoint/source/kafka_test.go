package source

import (
	"fmt"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

// TestTakenByKafka reads lines that Kafka's source takes although it never writes them (restarts of 3.5.9 and 4.3.0), and those that it
// refuses.
func TestTakenByKafka(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"a":{"0":12,"1":-1},"b":{"0":-2}}`:  "a/0=12 a/1=-1 b/0=-2",
		`{"a":{"0":null,"1":11.9,"2":1.2e1}}`: "a/0=0 a/1=11 a/2=12",
		`{"a":{"0":1,"0":2},"a":{"1":3}}`:     "a/1=3",
		`{"a":{"01":5}}`:                      "a/1=5",
		`{}`:                                  "",
		`{"a":{}}`:                            "",
		`{"a":{"0":"12"}}`:                    `error at 10: topic "a": partition 0: "12" is not an offset`,
		`{"a":{"x":3}}`:                       `error at 10: topic "a": "x" is not a partition`,
		`{"a":{"0":true}}`:                    `error at 10: topic "a": partition 0: true is not an offset`,
		`{"logOffset":3}`:                     `error at 13: topic "logOffset": 3 is not a set of partitions`,
		`[1]`:                                 `error at 0: an array is not a set of topics`,
	} {
		parts, err := Decode([]byte(line), decode.Where{File: "offsets/3", Line: 3}).TakenAs(Kafka)
		var got []string
		for _, p := range parts {
			got = append(got, p.Name+"="+p.Position.Text)
		}
		text := strings.Join(got, " ")
		if e, ok := err.(*decode.Error); ok {
			text = fmt.Sprintf("error at %d: %v", e.Where.Offset, e.Err)
		}
		if text != want {
			t.Errorf("%s: %s, want %s", line, text, want)
		}
	}
}
