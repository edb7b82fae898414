package delta

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"

	"tidemark/checkpoint/decode"
)

// Action is one line of a commit, a compaction or a checkpoint in JSON. The methods that take it apart are
// good until the next one is asked for.
//
//	{"txn":{"appId":"<query id>","version":41,"lastUpdated":1764403200000}}
//	{"commitInfo":{"timestamp":1764403200000,"operation":"STREAMING UPDATE","operationParameters":{…},…}}
type Action struct {
	Name  string // "txn", "add", "remove", "metaData", "protocol", "commitInfo" and others
	Where decode.Where

	text []byte // the value
}

// Txn is what an application has written last: a streaming query its query id and a batch id, a user of
// txnAppId and txnVersion whatever he chose.
type Txn struct {
	AppID   string
	Version int64
	Updated int64 // ms since the epoch, UTC; 0 where that is not recorded
	Where   decode.Where
}

// Info is what a commit says of itself. Nothing of it is certain to be there.
type Info struct {
	Timestamp  int64             // ms since the epoch, UTC; 0 where absent
	Operation  string            // "STREAMING UPDATE", "RESTORE", "WRITE", "OPTIMIZE"
	Parameters map[string]string // as text, whatever their type; null is left out
	Metrics    map[string]string
	Where      decode.Where
}

// Metric is a number among the metrics; -1 where it is not there.
func (i *Info) Metric(name string) int64 {
	n, err := strconv.ParseInt(i.Metrics[name], 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// Metadata is what the table is.
type Metadata struct {
	ID            string
	Schema        string // as Spark prints a schema in JSON
	Configuration map[string]string
	Created       int64 // ms since the epoch, UTC; 0 where absent
	Where         decode.Where
}

const (
	what      = "delta log"
	lineLimit = 64 << 20 // bytes of one line: a schema with thousands of columns is a few MB
)

// Actions reads a file of the log as a stream. What does not decode comes as a *decode.Error beside an empty
// action, and the sequence goes on; any other error ends it.
func (l *Log) Actions(ctx context.Context, base string) iter.Seq2[Action, error] {
	return func(yield func(Action, error) bool) {
		r, err := l.files.Open(ctx, l.Name(base), 0, -1)
		if err != nil {
			yield(Action{}, err)
			return
		}
		defer r.Close()
		for a, err := range Read(l.Where(base).File, r) {
			if !yield(a, err) {
				return
			}
		}
	}
}

// Read reads the lines of a commit, a compaction or a checkpoint in JSON: see Log.Actions.
func Read(file string, r io.Reader) iter.Seq2[Action, error] {
	return func(yield func(Action, error) bool) {
		for line, err := range decode.Lines(r, file, what, lineLimit) {
			text := bytes.TrimSpace(line.Text)
			switch {
			case err != nil:
				yield(Action{}, err)
				return
			case len(text) == 0:
			case !yield(action(text, line.Where)):
				return
			}
		}
	}
}

// action takes the outermost object apart. An action that Delta gives no name to is none.
func action(text []byte, where decode.Where) (Action, error) {
	v, err := decode.ParseFields(text)
	if err != nil {
		return Action{}, &decode.Error{Where: where, Flaw: decode.Malformed, What: what, Err: fmt.Errorf("%.80q: %w", text, err)}
	}
	for _, f := range v.Fields {
		if f.Value.Kind == decode.Object {
			return Action{Name: f.Name, Where: where, text: text[f.Value.At:f.Value.End]}, nil
		}
	}
	return Action{}, &decode.Error{Where: where, Flaw: decode.Value, What: what, Err: fmt.Errorf("%.80q is not an action", text)}
}

func (a Action) fail(err error) error {
	return &decode.Error{Where: a.Where, Flaw: decode.Value, What: what + " " + a.Name, Err: err}
}

// Txn takes a "txn" apart.
func (a Action) Txn() (Txn, error) {
	v, err := decode.ParseFields(a.text)
	if err != nil {
		return Txn{}, a.fail(err)
	}
	return a.txn(v)
}

func (a Action) txn(v decode.JSON) (Txn, error) {
	t := Txn{Where: a.Where}
	id, _ := v.Get("appId")
	t.AppID = id.Text
	version, _ := v.Get("version")
	updated, _ := v.Get("lastUpdated")
	t.Updated, _ = updated.Int()
	var ok bool
	if t.Version, ok = version.Int(); !ok || id.Kind != decode.String {
		return t, a.fail(fmt.Errorf("%.80q has no appId and version", a.text))
	}
	return t, nil
}

// Info takes a "commitInfo" apart.
func (a Action) Info() (*Info, error) {
	v, err := decode.ParseJSON(a.text)
	if err != nil {
		return nil, a.fail(err)
	}
	i := &Info{Where: a.Where}
	for name, to := range map[string]*int64{"timestamp": &i.Timestamp, "inCommitTimestamp": &i.Timestamp} {
		if n, ok := v.Get(name); ok && *to == 0 {
			*to, _ = n.Int()
		}
	}
	op, _ := v.Get("operation")
	i.Operation = op.Text
	i.Parameters, i.Metrics = texts(v, "operationParameters"), texts(v, "operationMetrics")
	return i, nil
}

// texts are the strings, numbers and bools of an object.
func texts(v decode.JSON, name string) map[string]string {
	all := map[string]string{}
	o, _ := v.Get(name)
	for _, f := range o.Fields {
		if f.Value.Kind == decode.String || f.Value.Kind == decode.Number || f.Value.Kind == decode.Bool {
			all[f.Name] = f.Value.Text
		}
	}
	return all
}

// Metadata takes a "metaData" apart.
func (a Action) Metadata() (*Metadata, error) {
	v, err := decode.ParseJSON(a.text)
	if err != nil {
		return nil, a.fail(err)
	}
	return metadata(v, a.Where), nil
}

func metadata(v decode.JSON, where decode.Where) *Metadata {
	id, _ := v.Get("id")
	schema, _ := v.Get("schemaString")
	created, _ := v.Get("createdTime")
	at, _ := created.Int()
	return &Metadata{ID: id.Text, Schema: schema.Text, Configuration: texts(v, "configuration"), Created: at, Where: where}
}

// File is a data file of an "add" or "remove".
type File struct {
	Path       string // as written, URI-encoded; relative to the table, or absolute
	Size       int64  // bytes; 0 where absent
	Modified   int64  // of an add: modificationTime, ms since the epoch; of a remove: deletionTimestamp
	DataChange bool   // false where rows were only moved between files
}

// File takes an "add" or "remove" apart.
func (a Action) File() (File, error) {
	v, err := decode.ParseFields(a.text)
	if err != nil {
		return File{}, a.fail(err)
	}
	name, _ := v.Get("path")
	if name.Kind != decode.String {
		return File{}, a.fail(fmt.Errorf("%.80q has no path", a.text))
	}
	f := File{Path: name.Text, DataChange: true}
	for key, to := range map[string]*int64{"size": &f.Size, "modificationTime": &f.Modified, "deletionTimestamp": &f.Modified} {
		if n, ok := v.Get(key); ok {
			*to, _ = n.Int()
		}
	}
	if change, ok := v.Get("dataChange"); ok {
		f.DataChange = change.Text != "false"
	}
	return f, nil
}
