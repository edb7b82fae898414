package log

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"tidemark/checkpoint/decode"
)

// OperatorMetadata is what Spark 4.0 and later record of a stateful operator. Version 1 lies in
// state/<op>/_metadata/metadata and is written once:
//
//	v1
//	{"operatorInfo":{"operatorId":0,"operatorName":"stateStoreSave"},
//	 "stateStoreInfo":[{"storeName":"default","numColsPrefixKey":0,"numPartitions":200}]}
//
// (one line). Version 2 lies in state/<op>/_metadata/v2/<batch>, one file a run, and adds
// stateSchemaFilePaths to each store (absolute, so stale after a move) and operatorPropertiesJson.
//
// Written by OperatorStateMetadataV1Writer and V2Writer.
type OperatorMetadata struct {
	File       string
	Version    int // of the version line; 0 when that does not parse
	ID         int64
	Name       string // "stateStoreSave"; "" when it is not there
	Stores     []OperatorStore
	Properties string          // operatorPropertiesJson, "" in version 1
	Problems   []*decode.Error // in the order of the file
}

// OperatorStore is one state store of the operator.
type OperatorStore struct {
	Name        string
	Partitions  int64    // as planned when the file was written; the pinned setting counts
	Prefix      int64    // how many columns of a key are its prefix (numColsPrefixKey); 0 but for session windows
	SchemaFiles []string // as recorded, oldest first; version 2 only
}

const newestOperatorMetadata = 2

// ParseOperatorMetadata reads the bytes of an operator metadata file. It always returns a value.
func ParseOperatorMetadata(file string, data []byte) *OperatorMetadata {
	m := &OperatorMetadata{File: file}
	var lines []line
	m.Version, lines, m.Problems = split(file, data, OperatorWhat, newestOperatorMetadata, false)
	if want := versionOf(file); want > 0 && m.Version > 0 && m.Version != want && !has(m.Problems, []decode.Flaw{decode.VersionUnknown}) {
		m.Problems = append(m.Problems, &decode.Error{Where: decode.Where{File: file, Line: 1}, Flaw: decode.VersionUnknown,
			What: OperatorWhat,
			Err:  fmt.Errorf("the file has version %d, and operator metadata in this folder has version %d", m.Version, want)})
	}
	if len(lines) == 0 {
		if len(m.Problems) == 0 {
			m.Problems = append(m.Problems, &decode.Error{Where: decode.Where{File: file, Line: 1, Offset: int64(len(data))},
				Flaw: decode.Cut, What: OperatorWhat,
				Err: errors.New("the file ends after its version line")})
		}
		return m
	}
	r := &recordReader{line: lines[0], m: m}
	v, err := object(r.line, OperatorWhat)
	if err != nil {
		m.Problems = append(m.Problems, err)
		if err.Flaw != decode.Trailing { // Spark reads no further than the value
			return m
		}
	}
	info, _ := v.Get("operatorInfo")
	m.Name = r.text(info, "operatorName")
	m.ID = r.number(info, "operatorId")
	if m.Version > 1 {
		m.Properties = r.text(v, "operatorPropertiesJson")
		if _, err := decode.ParseJSON([]byte(m.Properties)); err != nil && m.Properties != "" {
			flaw := decode.NoMetadata // nothing compares them
			if strings.HasPrefix(m.Name, "transformWithState") {
				flaw = decode.Malformed
			}
			properties, _ := v.Get("operatorPropertiesJson")
			r.problem(properties, flaw, "operatorPropertiesJson: %w", err)
		}
	}
	stores, _ := v.Get("stateStoreInfo")
	if stores.Kind != decode.Array || len(stores.Items) == 0 || v.Repeats("stateStoreInfo") {
		r.problem(v, decode.Value, "stateStoreInfo names no store")
	}
	for _, s := range stores.Items {
		o := OperatorStore{Name: r.text(s, "storeName"), Partitions: r.number(s, "numPartitions"), Prefix: r.number(s, "numColsPrefixKey")}
		paths, ok := s.Get("stateSchemaFilePaths")
		if m.Version > 1 && (!ok || paths.Kind != decode.Array || len(paths.Items) == 0) {
			r.problem(s, decode.NoMetadata, "stateSchemaFilePaths names no schema file") // Spark takes it for state without one
		}
		for _, p := range paths.Items {
			o.SchemaFiles = append(o.SchemaFiles, p.Text)
		}
		m.Stores = append(m.Stores, o)
	}
	return m
}

// versionOf is the version of the records that lie where a file lies; 0 where nothing tells.
func versionOf(file string) int {
	switch {
	case path.Base(path.Dir(file)) == "v2":
		return 2
	case strings.HasSuffix(file, "_metadata/metadata"):
		return 1
	}
	return 0
}

// OperatorWhat is what problems of operator metadata call it.
const OperatorWhat = "operator metadata"

// recordReader takes the fields of a record out of its line. Spark's reader asks for each of them, once, and of its kind: what is
// missing is a problem.
type recordReader struct {
	line line
	m    *OperatorMetadata
}

func (r *recordReader) problem(v decode.JSON, flaw decode.Flaw, format string, args ...any) {
	r.m.Problems = append(r.m.Problems, &decode.Error{Where: r.line.where.In(v.At), Flaw: flaw, What: OperatorWhat,
		Err: fmt.Errorf(format, args...)})
}

func (r *recordReader) text(v decode.JSON, name string) string {
	f, ok := v.Get(name)
	switch {
	case !ok:
		r.problem(v, decode.Value, "%s is missing", name)
	case f.Kind != decode.String && f.Kind != decode.Number || v.Repeats(name):
		r.problem(f, decode.Value, "%s is not a string", name)
	default:
		return f.Text
	}
	return ""
}

func (r *recordReader) number(v decode.JSON, name string) int64 {
	f, ok := v.Get(name)
	if !ok || f.Kind == decode.Null {
		r.problem(v, decode.Value, "%s is missing", name)
		return 0
	}
	n, err := number(v, name, r.line, OperatorWhat)
	if err != nil {
		r.m.Problems = append(r.m.Problems, err)
	}
	return n
}
