package spec

import (
	"bytes"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/output"
)

// ProgressLimit is how many bytes of a file are looked through for a progress.
const ProgressLimit = 64 << 20

const (
	progressTries = 20       // from the end of a file: more than one that is cut is a file of something else
	progressSize  = 16 << 20 // bytes of one progress
)

// IsProgress reports whether a file is one with the progress of a query in it, and no spec.
func IsProgress(data []byte) bool {
	return bytes.Contains(data, []byte(`"runId"`)) && bytes.Contains(data, []byte(`"batchId"`)) && bytes.Contains(data, []byte(`"sources"`))
}

// ParseProgress reads what a running query says of itself: a StreamingQueryProgress as JSON, as it stands in the
// log of the driver, comes from lastProgress, or is given to a listener. Of several in a text, whatever stands
// between them, the last whole one counts.
//
//	{"id":"…","runId":"…","name":"orders","batchId":120,…,
//	 "stateOperators":[{"operatorName":"stateStoreSave",…}],
//	 "sources":[{"description":"KafkaV2[Subscribe[orders]]","startOffset":{…},"endOffset":{"orders":{"0":1350}},…}],
//	 "sink":{"description":"ForeachBatchSink","numOutputRows":-1}}
//
// It has the sources in plan order, with what their descriptions and offsets tell; the names of the stateful
// operators, once a batch has run; the sink, where its description tells a kind; and the name of the query.
// Nothing else is in the spec. The error is Problems.
//
// Written by StreamingQueryProgress.json and prettyJson.
func ParseProgress(name string, data []byte) (*Spec, error) {
	at, end := Pos{1, 1}, len(data)
	for range progressTries {
		i := bytes.LastIndex(data[:end], []byte(`"runId"`))
		if i < 0 {
			break
		}
		end = i
		if v, start, ok := progressAround(data, i); ok {
			if _, ok := v.Get("batchId"); ok {
				return fromProgress(name, v, data[start:]), nil
			}
		} else if at == (Pos{1, 1}) {
			at = (&parser{data: data}).placeOf(i)
		}
	}
	return nil, Problems{{Name: name, At: at, Text: "the file has no complete progress of a query: expected a JSON object with runId, batchId and sources"}}
}

// progressAround is the JSON object around the key at i, and where it begins. Before the key stands only the id.
func progressAround(data []byte, i int) (v decode.JSON, start int, ok bool) {
	start = bytes.LastIndexByte(data[:i], '{')
	if start < 0 {
		return v, 0, false
	}
	length := objectLength(data[start:min(start+progressSize, len(data))])
	if length < 0 {
		return v, 0, false
	}
	v, err := decode.ParseJSON(data[start : start+length])
	sources, _ := v.Get("sources")
	return v, start, err == nil && sources.Kind == decode.Array
}

// objectLength is how many bytes the JSON object has that text begins with; -1 where it does not end.
func objectLength(text []byte) int {
	depth, inText := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// fromProgress is the spec of one progress; text begins where v does.
func fromProgress(name string, v decode.JSON, text []byte) *Spec {
	s := &Spec{From: name, Sources: []Source{}}
	s.Query = textOf(v, "name")
	sources, _ := v.Get("sources")
	for _, x := range sources.Items {
		s.Sources = append(s.Sources, progressSource(x, text))
	}
	if ops, ok := v.Get("stateOperators"); ok && ops.Kind == decode.Array && (len(ops.Items) > 0 || ranBatch(v)) {
		s.Operators = []Operator{}
		for _, x := range ops.Items {
			s.Operators = append(s.Operators, Operator{Name: textOf(x, "operatorName")})
		}
		slices.Reverse(s.Operators) // they are listed from the sink on
	}
	if sink, ok := v.Get("sink"); ok {
		s.Sink = progressSink(textOf(sink, "description"))
	}
	return s
}

// ranBatch reports whether a batch was run: before the first one, a query lists no operators.
func ranBatch(v decode.JSON) bool {
	durations, _ := v.Get("durationMs")
	_, ran := durations.Get("addBatch")
	return ran
}

func textOf(v decode.JSON, name string) string {
	x, _ := v.Get(name)
	if x.Kind != decode.String {
		return ""
	}
	return x.Text
}

func progressSource(v decode.JSON, text []byte) Source {
	var s Source
	kind, inner := described(textOf(v, "description"))
	end, _ := v.Get("endOffset")
	offset := source.Decode(rawOffset(end, text), decode.Where{})
	switch {
	case kind == nil && offset.Ambiguous():
		return s
	case kind == nil:
		kind = offset.Likeliest()
	}
	s.Kind = kind.Name
	switch {
	case kind.Topics:
		s.Topics, s.Pattern = subscribed(inner)
	case kind.Located:
		s.Location = inner
	}
	if kind.TableID {
		s.TableID = offset.As(kind).Identity()
	}
	return s
}

// rawOffset is an offset as the source wrote it: JSON, which old releases put into a text.
func rawOffset(v decode.JSON, text []byte) []byte {
	if v.Kind == decode.String {
		return []byte(v.Text)
	}
	return text[v.At:v.End]
}

// subscribed are the topics, or the pattern of them, of "Subscribe[a, b]", "SubscribePattern[a.*]" or
// "Assign[a-0, a-1]" (ConsumerStrategy).
func subscribed(text string) (topics []string, pattern string) {
	strategy, inner, ok := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	if !ok || inner == "" {
		return nil, ""
	}
	switch strategy {
	case "SubscribePattern":
		return nil, inner
	case "Subscribe":
		return strings.Split(inner, ", "), ""
	case "Assign":
		for _, p := range strings.Split(inner, ", ") {
			if i := strings.LastIndexByte(p, '-'); i > 0 && !slices.Contains(topics, p[:i]) {
				topics = append(topics, p[:i])
			}
		}
	}
	return topics, ""
}

// described is the kind of source that describes itself in this way, and what stands in its brackets; nil where
// the description tells no kind.
func described(is string) (kind *source.Kind, inner string) {
	for _, k := range source.Kinds {
		for _, begins := range k.Described {
			if inner, ok := strings.CutPrefix(is, begins); ok {
				return k, strings.TrimSuffix(inner, "]")
			}
		}
	}
	return nil, ""
}

// progressSink is the sink of a description; nil where that tells no kind.
func progressSink(is string) *Sink {
	for _, k := range output.Kinds {
		for _, begins := range k.Described {
			inner, ok := strings.CutPrefix(is, begins)
			switch {
			case ok && strings.HasSuffix(begins, "["):
				return &Sink{Kind: k.Name, Location: strings.TrimSuffix(inner, "]")}
			case ok:
				return &Sink{Kind: k.Name}
			}
		}
	}
	return nil
}
