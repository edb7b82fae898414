package checkpoint

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
)

// plan shows a file of the offset log.
func (d *description) plan(data []byte) {
	p := log.ParsePlan(d.file, data, nil)
	d.version(p.Version)
	d.metadata(p, data)
	for i, o := range p.Sources {
		label := fmt.Sprintf("source %d", i)
		if o.Name != "" {
			label = "source " + o.Name
		}
		d.offset(label, o)
	}
	for _, e := range p.Problems {
		if e.Flaw == decode.NoMetadata {
			d.add(e.Where, "metadata", "none: the line is empty, as in continuous processing and Spark 2.0")
		} else {
			d.problem(e)
		}
	}
}

func (d *description) version(v int) {
	if v > 0 {
		d.add(decode.Where{File: d.file, Line: 1}, "version", "v"+strconv.Itoa(v))
	}
}

// metadata shows the line before the sources: times, and the settings pinned for the batch.
func (d *description) metadata(p *log.Plan, data []byte) {
	text, where, v := d.firstJSON(data)
	for _, f := range v.Fields {
		at := where.In(f.Value.At)
		switch f.Name {
		case "batchTimestampMs":
			d.add(at, "planned", instant(p.Timestamp))
		case "batchWatermarkMs":
			d.add(at, "watermark", watermark(p.Watermark))
		case "conf":
			for _, c := range f.Value.Fields {
				d.add(where.In(c.Value.At), "conf "+c.Name, c.Value.Text)
			}
		default:
			d.flatten(where, text, f.Name, f.Value)
		}
	}
}

// firstJSON is the object after the version line of a log file, or in its place where that is lost.
// One that does not parse is shown as it stands, and v is its zero value: the problems of the file
// say more.
func (d *description) firstJSON(data []byte) (text []byte, where decode.Where, v decode.JSON) {
	const bom = "\xEF\xBB\xBF"
	text, where, _ = d.line(data, 1)
	if cut, ok := bytes.CutPrefix(text, []byte(bom)); ok {
		text, where = cut, where.In(len(bom))
	}
	if len(text) == 0 || text[0] != '{' {
		var ok bool
		if text, where, ok = d.line(data, 2); !ok {
			return nil, decode.Where{File: d.file, Line: 1, Offset: int64(len(data))}, v
		}
	}
	v, err := decode.ParseJSON(text)
	if err != nil && len(text) > 0 {
		d.add(where, fmt.Sprintf("line %d", where.Line), string(text))
	}
	if err != nil || v.Kind != decode.Object {
		v = decode.JSON{}
	}
	return text, where, v
}

func watermark(ms int64) string {
	if ms == 0 {
		return "0 ms, none yet"
	}
	return instant(ms)
}

// offset shows how far one source was read: what kind it looks like, each part, and what else its
// line records.
func (d *description) offset(label string, o source.Offset) {
	switch {
	case o.None:
		d.add(o.Where, label, "no offset yet")
		return
	case len(o.Kinds) == 0:
		d.add(o.Where, label, o.Raw)
		return
	}
	value := either(o.KindNames())
	if id := o.Identity(); id != "" {
		value += ", " + id
	}
	if o.LogsStart() {
		value += ", where the batch starts"
	}
	d.add(o.Where, label, value)
	if words, ok := o.Snapshot(); ok {
		d.add(o.Where, label+" first snapshot", words)
	}
	parts := map[int]bool{}
	for _, p := range o.Parts {
		parts[p.At] = true
		d.add(o.Where.In(p.At), label+" "+partName(p), p.Position.Text)
	}
	if o.Line.Kind != decode.Object {
		return
	}
	for _, f := range o.Line.Fields {
		if k := f.Value.Kind; k != decode.Object && k != decode.Array && !parts[f.Value.At] {
			d.add(o.Where.In(f.Value.At), label+" "+f.Name, shown(f.Name, f.Value))
		}
	}
}

// either is "kafka or event-hubs", "rate, socket or file".
func either(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func partName(p source.Part) string {
	if p.Name == "" {
		return "position"
	}
	if strings.Trim(p.Name, "0123456789") == "" {
		return "partition " + p.Name
	}
	return p.Name
}

// commit shows a file of the commit log.
func (d *description) commit(data []byte) {
	c := log.ParseCommit(d.file, data)
	d.version(c.Version)
	text, where, v := d.firstJSON(data)
	if len(text) == 0 || v.Kind == decode.Object && !recorded(v, "nextBatchWatermarkMs") {
		d.add(where, "watermark of the next batch", "not recorded; Spark uses 0")
	}
	for _, f := range v.Fields {
		switch f.Name {
		case "nextBatchWatermarkMs":
			d.add(where.In(f.Value.At), "watermark of the next batch", watermark(c.NextWatermark))
		case "stateUniqueIds":
			d.stateIDs(where, f.Value)
		case "sinkMetadataMap":
			for i, sink := range c.Sinks[:min(len(c.Sinks), len(f.Value.Fields))] {
				d.sink(where.In(f.Value.Fields[i].Value.At), sink)
			}
		default:
			d.flatten(where, text, f.Name, f.Value)
		}
	}
	d.problem(c.Problems...)
}

func recorded(v decode.JSON, name string) bool {
	_, ok := v.Get(name)
	return ok
}

// stateIDs shows the ids in the names of the state files: operator → partition → store → id.
func (d *description) stateIDs(where decode.Where, ids decode.JSON) {
	for _, operator := range ids.Fields {
		for i, partition := range operator.Value.Items {
			for j, id := range partition.Items {
				label := fmt.Sprintf("state ID of operator %s, partition %d", operator.Name, i)
				if len(partition.Items) > 1 {
					label += fmt.Sprintf(", store %d", j)
				}
				d.add(where.In(id.At), label, id.Text)
			}
		}
	}
}

func (d *description) sink(where decode.Where, s log.Sink) {
	value := strings.TrimSpace(s.Provider + " " + s.APIVersion)
	if s.Active {
		value += ", active"
	} else {
		value += ", no longer used"
	}
	d.add(where, "sink "+s.Name, value)
}
