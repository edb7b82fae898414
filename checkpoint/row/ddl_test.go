package row

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tidemark/checkpoint/decode"
)

// Each line is a schema as a person may write it, and as it is written back.
func TestSchemaIsRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"shop_id STRING NOT NULL":                               "shop_id STRING NOT NULL",
		"k string, count long not null":                         "k STRING, count BIGINT NOT NULL",
		"k: STRING, n: INT":                                     "k STRING, n INT",
		"struct<k:string,n:bigint>":                             "k STRING, n BIGINT",
		"STRUCT<k: STRING NOT NULL>":                            "k STRING NOT NULL",
		"struct STRUCT<a INT>, array INT":                       "struct STRUCT<a: INT>, array INT",
		"`a b` INT, `c``d` INT, é DATE":                         "`a b` INT, `c``d` INT, `é` DATE",
		"1st INT":                                               "`1st` INT",
		"sum DOUBLE, sum DOUBLE":                                "sum DOUBLE, sum DOUBLE",
		"not INT, null INT, comment INT":                        "not INT, null INT, comment INT",
		"a INT COMMENT 'it''s, \\' x', b INT":                   "a INT, b INT",
		`a INT NOT NULL COMMENT "say \"so\"", b INT`:            "a INT NOT NULL, b INT",
		"a INT, -- how many\n b /* of \n them */ LONG":          "a INT, b BIGINT",
		"w STRUCT<start: TIMESTAMP, end: TIMESTAMP>":            "w STRUCT<start: TIMESTAMP, end: TIMESTAMP>",
		"a ARRAY<ARRAY<STRUCT<x: INT NOT NULL COMMENT ''>>>":    "a ARRAY<ARRAY<STRUCT<x: INT NOT NULL>>>",
		"m MAP<STRING, MAP<INT, STRUCT<>>>":                     "m MAP<STRING, MAP<INT, STRUCT<>>>",
		"a BYTE, b TINYINT, c SHORT, d SMALLINT":                "a TINYINT, b TINYINT, c SMALLINT, d SMALLINT",
		"a INTEGER, b REAL, c DEC, d NUMERIC(5)":                "a INT, b FLOAT, c DECIMAL(10,0), d DECIMAL(5,0)",
		"a DECIMAL ( 10 , 2 )":                                  "a DECIMAL(10,2)",
		"a TIMESTAMP_LTZ, b TIMESTAMP_NTZ":                      "a TIMESTAMP, b TIMESTAMP_NTZ",
		"a TIME, b TIME(3)":                                     "a TIME(6), b TIME(3)",
		"a CHARACTER(3), b CHAR(4), c VARCHAR(10)":              "a CHAR(3), b CHAR(4), c VARCHAR(10)",
		"a INTERVAL, b INTERVAL day TO second, c interval YEAR": "a INTERVAL, b INTERVAL DAY TO SECOND, c INTERVAL YEAR",
		"a STRING COLLATE UNICODE_CI NOT NULL":                  "a STRING COLLATE UNICODE_CI NOT NULL",
		"a STRING COLLATE utf8_binary":                          "a STRING",
		"a STRING COLLATE system.builtin.de_CI":                 "a STRING COLLATE system.builtin.de_CI",
		"a VARIANT, b VOID, c BINARY, d BOOLEAN":                "a VARIANT, b VOID, c BINARY, d BOOLEAN",
		"a GEOMETRY(4326), b GEOGRAPHY(OGC:CRS84, SPHERICAL)":   "a GEOMETRY(4326), b GEOGRAPHY(OGC:CRS84, SPHERICAL)",
		` {"type":"struct","fields":[{"name":"k","type":"string","nullable":false,"metadata":{}}]}`:                                   "k STRING NOT NULL",
		`{"type":"struct","fields":[{"name":"k","type":{"type":"array","elementType":"null","containsNull":false},"nullable":true}]}`: `{"type":"struct","fields":[{"name":"k","type":{"type":"array","elementType":"void","containsNull":false},"nullable":true,"metadata":{}}]}`,
		`{"type":"struct","fields":[{"name":"k","type":"decimal(5,-2)"}]}`:                                                            `{"type":"struct","fields":[{"name":"k","type":"decimal(5,-2)","nullable":true,"metadata":{}}]}`,
		`{"type":"struct","fields":[]}`: `{"type":"struct","fields":[]}`,
	} {
		typ, err := ParseSchema(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := typ.Schema(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// An error says where in the text it is: before the part that is marked with ^.
func TestSchemaErrorsHavePlaces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"^":                         "expected a column name",
		"k^":                        "no type",
		"k STRING,^":                "expected a column name",
		"k STRING, ^, n INT":        "expected a column name",
		"k ^STRIG":                  `"STRIG" is not a Spark type`,
		"k STRING ^n INT":           "expected a comma",
		"shop^-id STRING":           "`backquotes`",
		"k STRING NOT^":             "expected NULL",
		"k STRING NOT ^NIL":         "expected NULL",
		"k STRING COMMENT ^x":       "a text in quotes",
		"k ^DECIMAL(39,2)":          "DECIMAL(39,2)",
		"k ^DECIMAL(2,3)":           "DECIMAL(2,3)",
		"k DECIMAL(^x)":             "expected a number",
		"k DECIMAL(1,2^,3)":         "after the numbers",
		"k ^VARCHAR, n INT":         "needs a length",
		"k ^CHAR(0)":                "CHAR(0)",
		"k ARRAY^, n INT":           `expected "<" after ARRAY`,
		"k ARRAY<INT^":              `expected ">"`,
		"k MAP<STRING^>":            `expected ","`,
		"k STRUCT<a: INT^":          `expected ">"`,
		"k STRUCT<a: INT>^>":        "expected a comma",
		"k ^INTERVAL DAY TO YEAR":   "INTERVAL DAY TO YEAR",
		"k STRING COLLATE^":         "expected a collation name",
		"k ^`STRING`":               "the type of column",
		"^`k STRING":                "a backquote is missing",
		"^`` STRING":                "expected a name",
		"k STRING COMMENT ^'x":      "a quote is missing",
		"k ^/* STRING":              "*/ is missing",
		"STRUCT<k: STRING>^, n INT": "follows the end of the schema",
		"k INT ^DEFAULT 3":          "expected a comma",
		`{"type":"struct","fields":[{"name":"k","type":^"lnog"}]}`:                                        "lnog",
		`{"type":"struct","fields":[^{"type":"long"}]}`:                                                   "field 1 has no name",
		`{"type":"struct","fields":[^{"name":"a"}]}`:                                                      `"type" is missing`,
		`{"type":"struct","fields":[{"name":"a","type":{"type":"array","elementType":^{"type":"arr"}}}]}`: "arr",
		`^{"type":"struct"}`:                                "without fields",
		`^{"type":"array","elementType":"long"}`:            "expected a struct of columns",
		`{"type":"struct","fields":[^`:                      "the text ends",
		"a " + strings.Repeat("ARRAY<", 100) + "^ARRAY<INT": "nested more than",
	} {
		before, after, _ := strings.Cut(text, "^")
		_, err := ParseSchema(before + after)
		e, ok := errors.AsType[*decode.Error](err)
		if !ok || e.Offset != int64(len(before)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if ok && (after == "") != (e.Flaw == decode.Cut) {
			t.Errorf("%s: flaw %q", text, e.Flaw)
		}
	}
}

func TestUnknownTypeKnowsTheOthers(t *testing.T) {
	t.Parallel()
	_, err := ParseSchema("k BIGINT, v STRIG NOT NULL")
	unknown, ok := errors.AsType[*UnknownTypeError](err)
	if !ok || unknown.Name != "STRIG" || !slices.Contains(unknown.Known, "STRING") {
		t.Errorf("%+v, %v", unknown, err)
	}
}

// Every type that a schema file can hold comes back as it was.
func TestSchemaComesBack(t *testing.T) {
	t.Parallel()
	typ := everything(t)
	for _, text := range []string{typ.Schema(), typ.JSON()} {
		back, err := ParseSchema(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if d := cmp.Diff(typ, back, cmpopts.IgnoreFields(Field{}, "Unsaid")); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

// FuzzParseSchema gives anything to the reader: it answers with a type that is written and read as the same, or
// with an error that has its place within the text.
func FuzzParseSchema(f *testing.F) {
	f.Add("shop_id STRING NOT NULL, w STRUCT<start: TIMESTAMP, `e d` DECIMAL(10,2) COMMENT 'x'>, m MAP<STRING, ARRAY<BIGINT>>")
	f.Add("a INTERVAL DAY TO SECOND, b STRING COLLATE de_CI, c VARCHAR(3), /* x */ d GEOMETRY(OGC:CRS84) -- y")
	f.Add(`{"type":"struct","fields":[{"name":"k","type":{"type":"map","keyType":"long","valueType":"null","valueContainsNull":false}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		typ, err := ParseSchema(text)
		if err != nil {
			if e, ok := errors.AsType[*decode.Error](err); !ok || e.Offset < 0 || e.Offset > int64(len(text)) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		back, err := ParseSchema(typ.Schema())
		if err != nil {
			t.Fatalf("%q: written as %q: %v", text, typ.Schema(), err)
		}
		if d := cmp.Diff(typ, back, cmpopts.IgnoreFields(Field{}, "Unsaid")); d != "" {
			t.Fatalf("%q: written as %q: %s", text, typ.Schema(), d)
		}
	})
}
