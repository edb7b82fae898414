package report

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
)

// TestParquetOfAnyTypes writes rows of types that nest as they happen to, and reads them back.
func TestParquetOfAnyTypes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		v := &statestore.View{Key: anyStruct(r, 2), Value: anyStruct(r, 0), ValueName: "list_element"}
		if seed%3 == 0 {
			v.MapKey, v.ValueName = anyStruct(r, 2), "user_map_value"
		}
		var want [][]byte
		file := written(t, v, func(yield func(*statestore.Row) bool) {
			for n := range 20 {
				x := &statestore.Row{Partition: n % 3, View: v, Key: anyValue(r, v.Key), Value: anyValue(r, v.Value)}
				if v.MapKey != nil {
					x.MapKey = anyValue(r, v.MapKey)
				}
				want = append(want, x.AppendJSON(nil))
				if !yield(x) {
					return
				}
			}
		})
		got := assembled(t, file)
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d rows, want %d", seed, len(got), len(want))
		}
		for i := range got {
			if diff := difference("", rowType(v), parsed(t, want[i]), got[i]); diff != "" {
				t.Fatalf("seed %d: row %d: %s\n%s", seed, i, diff, want[i])
			}
		}
	}
}

// assembled are the rows of a file, put together out of its columns by their levels alone.
func assembled(t *testing.T, file []byte) (all []any) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		buffer := make([]parquet.Row, 1)
		for {
			n, err := rows.ReadRows(buffer)
			if n == 1 {
				columns := [][]parquet.Value{}
				for _, values := range buffer[0].Range {
					columns = append(columns, values)
				}
				all = append(all, assemble(f.Root(), columns, 0))
			}
			if err != nil {
				break
			}
		}
		_ = rows.Close()
	}
	return all
}

// assemble is what stands at a node, whose columns these are, and above which so much is there.
func assemble(node *parquet.Column, columns [][]parquet.Value, definition int) any {
	first := columns[0][0]
	if node.Optional() {
		if definition++; first.DefinitionLevel() < definition {
			return nil
		}
	}
	if node.Leaf() {
		switch first.Kind() {
		case parquet.Boolean:
			return first.Boolean()
		case parquet.Int32:
			return first.Int32()
		case parquet.Int64:
			return first.Int64()
		case parquet.Float:
			return first.Float()
		case parquet.Double:
			return first.Double()
		}
		return string(first.ByteArray())
	}
	below := node.Columns()
	if len(below) == 1 && below[0].Repeated() {
		return repeated(below[0], columns, definition)
	}
	fields := map[string]any{}
	for _, child := range below {
		n := leavesOf(child)
		fields[child.Name()] = assemble(child, columns[:n], definition)
		columns = columns[n:]
	}
	return fields
}

// repeated is a list, or a map whose keys are text.
func repeated(node *parquet.Column, columns [][]parquet.Value, definition int) any {
	list, entries := []any{}, map[string]any{}
	if definition++; columns[0][0].DefinitionLevel() >= definition {
		for more := true; more; {
			one := make([][]parquet.Value, len(columns))
			for i, values := range columns {
				end := 1
				for end < len(values) && values[end].RepetitionLevel() > node.MaxRepetitionLevel() {
					end++
				}
				one[i], columns[i] = values[:end], values[end:]
			}
			item := assemble(node, one, definition)
			if fields := item.(map[string]any); node.Name() == "list" {
				list = append(list, fields["element"])
			} else {
				entries[fields["key"].(string)] = fields["value"]
			}
			more = len(columns[0]) > 0
		}
	}
	if node.Name() == "list" {
		return list
	}
	return entries
}

func leavesOf(node *parquet.Column) int {
	if node.Leaf() {
		return 1
	}
	n := 0
	for _, child := range node.Columns() {
		n += leavesOf(child)
	}
	return n
}

// plainTypes are those of one column.
var plainTypes = []string{"boolean", "byte", "short", "integer", "long", "float", "double", "date", "timestamp", "timestamp_ntz",
	"string", "binary", "decimal(9,2)", "decimal(18,18)", "decimal(19,0)", "decimal(30,10)", "decimal(38,37)", "void"}

func anyType(r *rand.Rand, depth int) *row.Type {
	if depth < 4 {
		switch r.IntN(6) {
		case 0:
			return anyStruct(r, depth+1)
		case 1:
			return &row.Type{Kind: row.Array, Name: "array", Fields: []row.Field{{Type: anyType(r, depth+1), Nullable: r.IntN(2) == 0}}}
		case 2:
			return &row.Type{Kind: row.Map, Name: "map", Fields: []row.Field{{Type: mustType("string")}, {Type: anyType(r, depth+1), Nullable: r.IntN(2) == 0}}}
		}
	}
	return mustType(plainTypes[r.IntN(len(plainTypes))])
}

func mustType(spark string) *row.Type {
	t, err := row.ParseType(spark)
	if err != nil {
		panic(err)
	}
	return t
}

func anyStruct(r *rand.Rand, depth int) *row.Type {
	var fields []row.Field
	for i := range 1 + r.IntN(4) {
		f := row.Field{Name: fmt.Sprintf("f,%d", r.IntN(3)), Type: anyType(r, depth), Nullable: r.IntN(2) == 0 || i == 0}
		f.Nullable = f.Nullable || f.Type.Kind == row.Void
		fields = append(fields, f)
	}
	return row.StructOf(fields...)
}

// anyValue is a value of a type, never null itself.
func anyValue(r *rand.Rand, t *row.Type) row.Value {
	v := row.Value{Type: t}
	item := func(f row.Field) row.Value {
		if f.Type.Kind == row.Void || f.Nullable && r.IntN(3) == 0 {
			return row.Value{Type: f.Type, Null: true}
		}
		return anyValue(r, f.Type)
	}
	switch t.Kind {
	case row.Struct:
		for _, f := range t.Fields {
			v.Items = append(v.Items, item(f))
		}
	case row.Array, row.Map:
		for n := range r.IntN(4) {
			if t.Kind == row.Map {
				v.Items = append(v.Items, row.Value{Type: t.Fields[0].Type, Bytes: fmt.Appendf(nil, "k%d", n)})
			}
			v.Items = append(v.Items, item(t.Fields[len(t.Fields)-1]))
		}
		if t.Kind == row.Array && t.Fields[0].Type.Kind == row.Void && !t.Fields[0].Nullable {
			v.Items = nil
		}
		if t.Kind == row.Map && t.Fields[1].Type.Kind == row.Void && !t.Fields[1].Nullable {
			v.Items = nil
		}
	case row.Boolean:
		v.Int = int64(r.IntN(2))
	case row.Byte:
		v.Int = int64(int8(r.Int64()))
	case row.Short:
		v.Int = int64(int16(r.Int64()))
	case row.Integer:
		v.Int = int64(int32(r.Int64()))
	case row.Date:
		v.Int = int64(r.IntN(60000) - 30000)
	case row.Timestamp, row.TimestampNTZ:
		v.Int = r.Int64N(4e15) - 2e15
	case row.Float:
		v.Int = int64(int32(math.Float32bits(float32(r.NormFloat64()))))
	case row.Double:
		v.Int = int64(math.Float64bits(r.NormFloat64()))
	case row.String, row.Binary:
		v.Bytes = []byte(strings.Repeat("é", r.IntN(4)))
	case row.Decimal:
		digits := int64(math.Pow10(min(t.Precision, 12)))
		if v.Int = r.Int64N(2*digits) - digits; t.Precision > 18 {
			v.Bytes = binary.BigEndian.AppendUint64(nil, uint64(v.Int))
		}
	default:
		v.Int = r.Int64()
	}
	return v
}
