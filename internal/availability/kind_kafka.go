package availability

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
)

// kafka is kept by offsets of partitions, which brokers tell.
var kafka = &Kind{
	Kind:    source.Kafka,
	Ask:     AskBrokers,
	example: `{"orders": {"0": 7883100}}`,

	startAt:       startTopics,
	startFromTime: topicsFromTime,
	startAtParts:  timedTopics,

	OnLoss: failOnDataLoss + countsOffsets,
	OnLossDeclared: func(fails bool) string {
		if fails {
			return `The spec declares failOnDataLoss as true: Spark fails and names the lost data.` + countsOffsets
		}
		return `The spec declares failOnDataLoss as false: Spark starts, continues from the oldest record left, and only logs a warning.
The lost records never reach the sink, and nothing else will tell.` + countsOffsets
	},
	OnLossUnsure: ` An Azure Event Hubs source has the same offset files but no such option: it continues with a warning.`,
	OnReset: func(at, end string) string {
		return fmt.Sprintf(`What a start does depends on failOnDataLoss, which no checkpoint records. With true, the default, it fails:
"offset was changed from %s to %s, some data may have been missed". With false it reads nothing, writes the lower position into the next
offset file, and continues from there.`, at, end)
	},
	OnResetDeclared: func(at, end string, fails bool) string {
		if fails {
			return fmt.Sprintf(`The spec declares failOnDataLoss as true: Spark fails, "offset was changed from %s to %s".`, at, end)
		}
		return fmt.Sprintf(`The spec declares failOnDataLoss as false: Spark starts, reads nothing below %s, and continues from %s. It only logs a
warning: nothing else will tell which records it skipped.`, at, end)
	},
}

// countsOffsets is what a number of lost records means.
const countsOffsets = ` Kafka counts offsets: transactions or compaction leave gaps, so the real number of records may be smaller.`

// startTopics clamps the offsets of topics to those that are there, over all partitions that are.
func startTopics(o source.Offset, k *Source) (StartPosition, bool) {
	if len(k.Parts) == 0 && len(k.Gone) == 0 {
		return recordedStart(o)
	}
	at, left, known := map[string]string{}, k.ByName(), map[string]bool{}
	var b StartPosition
	var skipped, gone, anew, joined []string
	for i := range o.Parts {
		name, from := o.Parts[i].Name, o.Parts[i].Position.Num
		part := left[name]
		known[name] = true
		switch {
		case part == nil && (k.Whole || k.IsGone(name)):
			gone = append(gone, fmt.Sprintf("%s (it was at %d)", name, from))
			continue
		case part == nil:
		case part.Latest != nil && from > part.Latest.Num:
			was := from
			from = 0
			if part.Earliest != nil {
				from = part.Earliest.Num
			}
			anew = append(anew, fmt.Sprintf("%s (it was at %d and ends at %d)", name, was, part.Latest.Num))
		case part.Earliest != nil && from < part.Earliest.Num:
			skipped = append(skipped, fmt.Sprintf("%s %d to %d", name, from, part.Earliest.Num))
			from = part.Earliest.Num
		}
		at[name] = strconv.FormatInt(from, 10)
	}
	for i := range k.Parts {
		part := &k.Parts[i]
		if part.Earliest != nil && !known[part.Name] {
			at[part.Name] = part.Earliest.Text
			joined = append(joined, part.Name)
		}
	}
	for _, said := range []struct {
		parts []string
		words string
	}{
		{skipped, "skipped, because their records are deleted"},
		{anew, "read from the beginning, because they end before that position"},
		{joined, "read from the beginning, because the checkpoint has no position of them"},
		{gone, "omitted, because they no longer exist"},
	} {
		if len(said.parts) > 0 {
			b.note("%s: %s", said.words, phrase.List(said.parts, 8))
		}
	}
	b.Option, b.Value = o.Kinds[0].StartingOffsets(topicsLine(at))
	return b, len(at) > 0
}

// topicsFromTime leaves it to Spark to look the offsets up.
func topicsFromTime(o source.Offset, t time.Time) StartPosition {
	b := StartPosition{Option: "startingOffsetsByTimestamp"}
	_, b.Value = o.Kinds[0].StartingOffsets(topicsLine(everywhere(o, strconv.FormatInt(t.UnixMilli(), 10))))
	b.note("not checked: the offsets. Spark 3.0 and later looks them up at the start, and fails for a partition without a record that late")
	return b
}

// timedTopics returns the offsets at a time, beside those at which the checkpoint stands.
func timedTopics(o source.Offset, parts []Part) (b StartPosition) {
	at := map[string]string{}
	var again, skipped []string
	for i := range parts {
		if parts[i].Earliest == nil {
			continue
		}
		name, from := parts[i].Name, parts[i].Earliest.Num
		at[name] = parts[i].Earliest.Text
		j := slices.IndexFunc(o.Parts, func(p source.Part) bool { return p.Name == name })
		if j < 0 {
			continue
		}
		switch stood := o.Parts[j].Position.Num; {
		case from < stood:
			again = append(again, fmt.Sprintf("%s %d to %d", name, from, stood))
		case from > stood:
			skipped = append(skipped, fmt.Sprintf("%s %d to %d", name, stood, from))
		}
	}
	if len(again) > 0 {
		b.note("read again: %s", phrase.List(again, 8))
	}
	if len(skipped) > 0 {
		b.note("skipped: %s", phrase.List(skipped, 8))
	}
	b.Option, b.Value = o.Kinds[0].StartingOffsets(topicsLine(at))
	return b
}

// everywhere returns one value for each part.
func everywhere(o source.Offset, value string) map[string]string {
	at := map[string]string{}
	for _, p := range o.Parts {
		at[p.Name] = value
	}
	return at
}

// topicsLine returns values by part ("orders/0") as a line of the source: {"orders":{"0":1900}}.
func topicsLine(at map[string]string) decode.JSON {
	topics := map[string]map[string]json.RawMessage{}
	for name, value := range at {
		cut := strings.LastIndexByte(name, '/')
		if cut < 0 {
			continue
		}
		topic, partition := name[:cut], name[cut+1:]
		if topics[topic] == nil {
			topics[topic] = map[string]json.RawMessage{}
		}
		topics[topic][partition] = json.RawMessage(value)
	}
	text, err := json.Marshal(topics)
	if err != nil {
		return decode.JSON{}
	}
	line, _ := decode.ParseJSON(text)
	return line
}
