package statestore

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
)

// State files are built here where Spark wrote none of a kind to keep. Records are as packages state and
// row document them; both hold those forms to Spark's own files.

// unsafeRow is a row of these values: int64 is a long, int an integer, string and []byte what they are,
// nil a null.
func unsafeRow(values ...any) string {
	v := row.Value{}
	var fields []row.Field
	for _, value := range values {
		item := row.Value{}
		kind, name := row.Void, "void"
		switch value := value.(type) {
		case nil:
			item.Null = true
		case int64:
			kind, name, item.Int = row.Long, "long", value
		case int:
			kind, name, item.Int = row.Integer, "integer", int64(value)
		case string:
			kind, name, item.Bytes = row.String, "string", []byte(value)
		case []byte:
			kind, name, item.Bytes = row.Binary, "binary", value
		default:
			panic(fmt.Sprintf("%T is no column", value))
		}
		item.Type = &row.Type{Kind: kind, Name: name}
		fields = append(fields, row.Field{Name: "c", Type: item.Type})
		v.Items = append(v.Items, item)
	}
	v.Type = row.StructOf(fields...)
	data, err := row.Encode(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func sized(data string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(data)))) + data
}

func putRecord(key, value string) string { return sized(key) + sized(value) }

func deleteRecord(key string) string { return sized(key) + "\xff\xff\xff\xff" }

// deltaOf is a delta, a snapshot or a changelog of version 1.
func deltaOf(records ...string) string { return lzf(strings.Join(records, "") + "\xff\xff\xff\xff") }

// lzf packs bytes without compressing them.
func lzf(data string) string {
	var b strings.Builder
	for chunk := range slices.Chunk([]byte(data), 1<<15) {
		b.WriteString("ZV\x00" + string(binary.BigEndian.AppendUint16(nil, uint16(len(chunk)))) + string(chunk))
	}
	return b.String()
}

// with is files and more.
func with(files map[string]string, more map[string]string) map[string]string {
	all := maps.Clone(files)
	maps.Copy(all, more)
	return all
}

// rowsOf are the rows of a view as text, and the errors in their place, sorted.
func rowsOf(t *testing.T, c *checkpoint.Checkpoint, r rowsRequest) (told []string) {
	t.Helper()
	for r, err := range rowsOfStore(t.Context(), c, r) {
		if err != nil {
			told = append(told, "error "+err.Error())
			continue
		}
		told = append(told, string(r.AppendJSON(nil)))
	}
	slices.Sort(told)
	return told
}
