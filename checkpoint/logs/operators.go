package logs

import (
	"errors"
	"fmt"

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
	SchemaFiles []string // as recorded, oldest first; version 2 only
}

const newestOperatorMetadata = 2

// ParseOperatorMetadata reads the bytes of an operator metadata file. It always returns a value.
func ParseOperatorMetadata(file string, data []byte) *OperatorMetadata {
	const what = "operator metadata"
	m := &OperatorMetadata{File: file}
	var lines []line
	m.Version, lines, m.Problems = split(file, data, what, newestOperatorMetadata, false)
	if len(lines) == 0 {
		if len(m.Problems) == 0 {
			m.Problems = append(m.Problems, &decode.Error{Where: decode.Where{File: file, Line: 1, Offset: int64(len(data))}, Flaw: decode.Cut, What: what,
				Err: errors.New("the file ends after its version line")})
		}
		return m
	}
	v, err := object(lines[0], what)
	if err != nil {
		m.Problems = append(m.Problems, err)
		return m
	}
	info, _ := v.Get("operatorInfo")
	m.Name = text(info, "operatorName")
	if m.ID, err = number(info, "operatorId", lines[0], what); err != nil {
		m.Problems = append(m.Problems, err)
	}
	m.Properties = text(v, "operatorPropertiesJson")
	stores, _ := v.Get("stateStoreInfo")
	for _, s := range stores.Items {
		o := OperatorStore{Name: text(s, "storeName")}
		if o.Partitions, err = number(s, "numPartitions", lines[0], what); err != nil {
			m.Problems = append(m.Problems, err)
		}
		paths, _ := s.Get("stateSchemaFilePaths")
		for _, p := range paths.Items {
			o.SchemaFiles = append(o.SchemaFiles, p.Text)
		}
		m.Stores = append(m.Stores, o)
	}
	if m.Name == "" {
		m.Problems = append(m.Problems, &decode.Error{Where: lines[0].where, Flaw: decode.Value, What: what,
			Err: fmt.Errorf("%s names no operator", quote(lines[0].text))})
	}
	return m
}
