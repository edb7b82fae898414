package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/storage"
)

// TestParquetHoldsEveryRow writes every view of every checkpoint that real Spark wrote, and compares what
// the library's own reader makes of the file with the rows as JSON.
func TestParquetHoldsEveryRow(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../../testdata/golden/*.rows.tar.gz")
	if err != nil || len(archives) < 40 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	views, rows := 0, 0
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".rows.tar.gz")
		c := openGolden(t, name)
		for _, op := range c.State.Entries {
			id, err := strconv.Atoi(op.Name)
			if err != nil {
				continue
			}
			s, err := statestore.At(t.Context(), c, id, -1)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i := range s.Views {
				views++
				rows += compareView(t, fmt.Sprintf("%s, operator %d, %s", name, id, s.Views[i].Name), s, &s.Views[i])
			}
		}
	}
	if views < 100 || rows < 1000 {
		t.Errorf("only %d views with %d rows were compared", views, rows)
	}
}

func openGolden(t *testing.T, name string) *checkpoint.Checkpoint {
	t.Helper()
	s, err := storage.Open(t.Context(), "../../testdata/golden/"+name+".tar.gz", storage.Options{Inside: []string{"offsets", "commits", "sources", "state", "metadata"}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := checkpoint.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// compareView is how many rows were compared.
func compareView(t *testing.T, label string, s *statestore.State, v *statestore.View) int {
	t.Helper()
	var want [][]byte
	file := written(t, v, func(yield func(*statestore.Row) bool) {
		for r, err := range s.Rows(t.Context(), v, -1) {
			if err != nil {
				continue // of damaged ones: the others are written
			}
			want = append(want, r.AppendJSON(nil))
			if !yield(&r) {
				return
			}
		}
	})
	compare(t, label, v, want, file)
	return len(want)
}

// written is a file of rows, all of which it can hold.
func written(t *testing.T, v *statestore.View, rows func(func(*statestore.Row) bool)) []byte {
	t.Helper()
	var b bytes.Buffer
	p, err := NewParquet(&b, v)
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	n := int64(0)
	for r := range rows {
		if err := p.Write(r); err != nil {
			t.Fatalf("%s: %v", r.AppendJSON(nil), err)
		}
		n++
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if p.Rows() != n {
		t.Errorf("%d rows were written, want %d", p.Rows(), n)
	}
	return b.Bytes()
}

func compare(t *testing.T, label string, v *statestore.View, want [][]byte, file []byte) {
	t.Helper()
	r := parquet.NewGenericReader[any](bytes.NewReader(file))
	defer r.Close()
	got := make([]any, len(want)+1)
	n, err := r.Read(got)
	if err != nil && !errors.Is(err, io.EOF) || n != len(want) {
		t.Errorf("%s: %d rows, want %d; %v", label, n, len(want), err)
		return
	}
	for i, line := range want {
		if diff := difference("", rowType(v), parsed(t, line), got[i]); diff != "" {
			t.Errorf("%s: row %d: %s\n%s", label, i, diff, line)
			return
		}
	}
}

// parsed is JSON with its numbers as they stand.
func parsed(t *testing.T, line []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// difference compares a value as JSON with what was read of a type; "" where they are the same.
func difference(at string, t *row.Type, want, got any) string {
	differ := func() string { return fmt.Sprintf("%s: got %T %v, want %v", at, got, got, want) }
	if want == nil || got == nil {
		if want != nil || got != nil {
			return differ()
		}
		return ""
	}
	switch t.Kind {
	case row.Struct:
		if len(t.Fields) == 0 {
			break // text
		}
		w, g := want.(map[string]any), got.(map[string]any)
		if len(w) != len(g) || len(w) != len(t.Fields) {
			return differ()
		}
		for _, f := range t.Fields {
			if diff := difference(at+"."+f.Label, f.Type, w[f.Label], g[f.Label]); diff != "" {
				return diff
			}
		}
		return ""
	case row.Array:
		w, g := want.([]any), got.([]any)
		if len(w) != len(g) {
			return differ()
		}
		for i := range w {
			if diff := difference(at+"[]", t.Fields[0].Type, w[i], g[i]); diff != "" {
				return diff
			}
		}
		return ""
	case row.Map:
		w, g := want.(map[string]any), got.(map[string]any)
		if len(w) != len(g) {
			return differ()
		}
		for k := range w {
			item := reflect.ValueOf(g[k])
			for item.Kind() == reflect.Pointer {
				item = item.Elem()
			}
			var value any
			if item.IsValid() {
				value = item.Interface()
			}
			if diff := difference(at+"{"+k+"}", t.Fields[1].Type, w[k], value); diff != "" {
				return diff
			}
		}
		return ""
	case row.Float, row.Double:
		if number, ok := want.(json.Number); ok {
			want, _ = strconv.ParseFloat(number.String(), 64)
			if f, ok := got.(float32); ok {
				want = float32(want.(float64))
				got = f
			}
		}
		got = strings.TrimPrefix(strings.Replace(fmt.Sprint(got), "Inf", "Infinity", 1), "+")
	default:
		got = asJSON(t, got)
	}
	if want != got && fmt.Sprint(want) != fmt.Sprint(got) {
		return differ()
	}
	return ""
}

// asJSON is what was read of one column, as a row's JSON has it.
func asJSON(t *row.Type, got any) any {
	switch v := got.(type) {
	case int32:
		switch t.Kind {
		case row.Date:
			return time.Unix(int64(v)*86400, 0).UTC().Format("2006-01-02")
		case row.Decimal:
			return new(big.Rat).SetFrac(big.NewInt(int64(v)), tens(t.Scale)).FloatString(t.Scale)
		}
	case int64:
		switch t.Kind {
		case row.Decimal:
			return new(big.Rat).SetFrac(big.NewInt(v), tens(t.Scale)).FloatString(t.Scale)
		case row.Timestamp:
			return time.UnixMicro(v).UTC().Format("2006-01-02T15:04:05.000000Z")
		case row.TimestampNTZ:
			return time.UnixMicro(v).UTC().Format("2006-01-02T15:04:05.000000")
		}
	case string:
		switch t.Kind {
		case row.Binary:
			return base64.StdEncoding.EncodeToString([]byte(v))
		case row.Decimal: // two's complement
			n := new(big.Int).SetBytes([]byte(v))
			if v[0] >= 0x80 {
				n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v))))
			}
			return new(big.Rat).SetFrac(n, tens(t.Scale)).FloatString(t.Scale)
		}
	case float32:
		return strconv.FormatFloat(float64(v), 'f', t.Scale, 32)
	case float64:
		return strconv.FormatFloat(v, 'f', t.Scale, 64)
	case *big.Float:
		return v.Text('f', t.Scale)
	}
	return got
}

func tens(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
