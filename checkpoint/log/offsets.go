package log

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
)

// Plan is one file of the offset log, offsets/<N>: what batch N was planned to read.
//
//	v1
//	{"batchWatermarkMs":0,"batchTimestampMs":1764403267000,"conf":{"spark.sql.shuffle.partitions":"200"}}
//	{"orders":{"0":1042,"1":998}}
//	-
//
// Version 1 (Spark 2.0 on) has one line a source, in plan order; "-" stands for no offset yet.
// Continuous processing and some 2.0 files leave line 2 empty. Version 2 (4.2 on, opt-in) puts the
// source's name or number before the offset, up to the first colon, in no order:
//
//	v2
//	{"batchWatermarkMs":0,"batchTimestampMs":…,"conf":{…},"sourceMetadataInfo":{}}
//	refunds:{"refunds":{"0":7}}
//
// Written by OffsetSeqLog (OffsetSeq, OffsetSeqMetadata).
type Plan struct {
	File        string
	Size        int64 // bytes
	Version     int   // of the version line; 0 when that does not parse
	HasMetadata bool  // line 2 parsed
	Watermark   int64 // event time that the batch uses, ms since the epoch; 0 before there is one
	Timestamp   int64 // when the batch was planned, ms since the epoch, UTC; 0 when not recorded
	// Conf are the settings pinned for this batch. Equal ones are shared between batches: read only.
	Conf     map[string]string
	Nulls    []string        // settings that stand as null, which Spark cannot set
	Control  string          // operationType of a control batch (4.2 on), else ""
	Sources  []source.Offset // plan order in version 1; by name in version 2
	Problems []*decode.Error // in the order of the file
}

// InOrder returns the sources by their position in the query. Version 1 has them so. Version 2 has them in the order of
// a hash map: sources without a name of their own are named by their position, and named ones have none, so their names
// order them.
func (p *Plan) InOrder() []source.Offset {
	if p.Version < 2 {
		return p.Sources
	}
	return slices.SortedStableFunc(slices.Values(p.Sources), func(a, b source.Offset) int {
		i, err := strconv.Atoi(a.Name)
		j, err2 := strconv.Atoi(b.Name)
		if err == nil && err2 == nil {
			return cmp.Compare(i, j)
		}
		return cmp.Compare(a.Name, b.Name)
	})
}

// ConfCache lets equal conf objects of neighboring batches share one map. Its zero value is ready;
// it is not safe for concurrent use.
type ConfCache struct {
	text []byte
	conf map[string]string
}

// ConfWhat is what problems of the pinned settings call them.
const ConfWhat = "offset log conf"

const newestPlan = 2 // offset log versions known: 1 and 2

// ParsePlan reads the bytes of an offset log file. It always returns a Plan; Problems say what did
// not decode. cache may be nil.
func ParsePlan(file string, data []byte, cache *ConfCache) *Plan {
	const what = "offset log"
	p := &Plan{File: file, Size: int64(len(data))}
	var lines []line
	p.Version, lines, p.Problems = split(file, data, what, newestPlan, false)
	if len(data) == 0 || (p.Version == 0 && len(lines) == 0) {
		return p
	}
	if len(lines) == 0 {
		p.Problems = append(p.Problems, &decode.Error{Where: decode.Where{File: file, Line: 1, Offset: int64(len(data))},
			Flaw: decode.Cut, What: what,
			Err: errors.New("the file ends after its version line: metadata and offsets are missing")})
		return p
	}
	p.readMetadata(lines[0], cache)
	lines = lines[1:]
	if len(lines) == 0 {
		p.Problems = append(p.Problems, &decode.Error{Where: decode.Where{File: file, Line: 2, Offset: int64(len(data))},
			Flaw: decode.Cut, What: what,
			Err: errors.New("the file ends after its metadata: no source has an offset line")})
		return p
	}
	for i, l := range lines {
		if len(l.text) == 0 {
			at := l.where
			p.Problems = append(p.Problems, &decode.Error{Where: at, Flaw: decode.ExtraLine, What: what,
				Err: fmt.Errorf("line %d is empty", at.Line)})
			if i == len(lines)-1 {
				continue // a line feed at the end of the file: no line to Spark
			}
		}
		p.readSource(l)
	}
	return p
}

func (p *Plan) readMetadata(l line, cache *ConfCache) {
	const what = "offset log metadata"
	l = l.trimmed()
	if len(l.text) == 0 {
		p.Problems = append(p.Problems, &decode.Error{Where: l.where, Flaw: decode.NoMetadata, What: what,
			Err: errors.New("the line is empty")})
		return
	}
	v, err := shallow(l, what)
	if err != nil {
		p.Problems = append(p.Problems, err)
		if !passedOver(err) {
			return
		}
	}
	if v.Kind == decode.Null {
		p.Problems = append(p.Problems, &decode.Error{Where: l.where, Flaw: decode.NoMetadata, What: what,
			Err: errors.New("the line is null")})
		return
	}
	p.HasMetadata = true
	if p.Watermark, err = number(v, "batchWatermarkMs", l, what); err != nil {
		p.Problems = append(p.Problems, err)
	}
	if p.Timestamp, err = number(v, "batchTimestampMs", l, what); err != nil {
		p.Problems = append(p.Problems, err)
	}
	if c, ok := v.Get("controlBatchInfo"); ok && c.Kind == decode.Object {
		if info, err := object(l.part(c), what); err == nil {
			p.Control = text(info, "operationType")
		}
	}
	switch c, ok := v.Get("conf"); {
	case v.Repeats("conf"):
		p.Problems = append(p.Problems, &decode.Error{Where: l.where.In(c.At), Flaw: decode.Value, What: what,
			Err: errors.New("conf occurs more than once")})
	case ok && c.Kind == decode.Object:
		p.readConf(l.part(c), cache)
	case ok && c.Kind != decode.Null:
		p.Problems = append(p.Problems, &decode.Error{Where: l.where.In(c.At), Flaw: decode.Value, What: what, Err: fmt.Errorf("conf: %s is not an object", quote(l.text[c.At:c.End]))})
	}
}

func (p *Plan) readConf(l line, cache *ConfCache) {
	const what = ConfWhat
	if cache != nil && cache.conf != nil && bytes.Equal(l.text, cache.text) {
		p.Conf = cache.conf
		return
	}
	c, err := object(l, what)
	if err != nil {
		p.Problems = append(p.Problems, err)
	}
	p.Conf = make(map[string]string, len(c.Fields))
	for _, f := range c.Fields {
		if f.Value.Kind == decode.Null {
			p.Nulls = append(p.Nulls, f.Name)
			continue
		}
		if f.Value.Kind != decode.String && f.Value.Kind != decode.Number {
			p.Problems = append(p.Problems, &decode.Error{Where: l.where.In(f.Value.At), Flaw: decode.Value, What: what,
				Err: fmt.Errorf("%s: %s is not a string", f.Name, quote(l.text[f.Value.At:f.Value.End]))})
			continue
		}
		p.Conf[f.Name] = f.Value.Text
	}
	if cache != nil && err == nil && p.Nulls == nil {
		cache.text, cache.conf = bytes.Clone(l.text), p.Conf
	}
}

func (p *Plan) readSource(l line) {
	name := ""
	if p.Version == 2 {
		at := bytes.IndexByte(l.text, ':')
		if at < 0 || looksLikeJSON(l.text) {
			p.Problems = append(p.Problems, &decode.Error{Where: l.where, Flaw: decode.Malformed, What: "offset log source",
				Err: fmt.Errorf("%s has no source name and colon before its offset", quote(l.text))})
			p.Sources = append(p.Sources, source.Offset{Raw: string(l.text), Where: l.where})
			return
		}
		name = string(l.text[:at])
		l = line{l.text[at+1:], l.where.In(at + 1)}
	}
	o := source.Decode(l.text, l.where)
	o.Name = name
	if e, ok := errors.AsType[*decode.Error](o.Problem); ok && len(l.text) > 0 {
		p.Problems = append(p.Problems, e)
	}
	if o.Trailing != nil {
		p.Problems = append(p.Problems, o.Trailing)
	}
	p.Sources = append(p.Sources, o)
}

// Has reports whether the file has a problem of one of these flaws.
func (p *Plan) Has(flaws ...decode.Flaw) bool { return has(p.Problems, flaws) }

func has(problems []*decode.Error, flaws []decode.Flaw) bool {
	for _, e := range problems {
		for _, f := range flaws {
			if e.Flaw == f {
				return true
			}
		}
	}
	return false
}
