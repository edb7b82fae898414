package delta

import (
	"fmt"
	"strings"

	"tidemark/checkpoint/decode"
)

// mapping is the setting that gives columns names of their own in the data files.
const mapping = "delta.columnMapping.mode"

// Mapped reports whether the table names its columns in the data files by column mapping.
func (m *Metadata) Mapped() bool {
	mode := strings.ToLower(m.Configuration[mapping])
	return mode != "" && mode != "none"
}

// column is a column of a schema, nested ones too.
type column struct {
	name  string // as a query names it: "address.city"
	place string // by the names in the data files, which a rename does not change
}

// NotAdditive says which columns a newer description of the table has renamed or dropped under column mapping; "" for none
// (DeltaColumnMapping.hasNoColumnMappingSchemaChanges, Delta 3.3). Without column mapping it is always "": see Unreadable.
func (m *Metadata) NotAdditive(newer *Metadata) string {
	before, ok := m.columns()
	after, ok2 := newer.columns()
	if !newer.Mapped() || !ok || !ok2 {
		return ""
	}
	names := map[string]string{}
	for _, c := range after {
		names[c.place] = c.name
	}
	for _, c := range before {
		switch name, ok := names[c.place]; {
		case !ok:
			return fmt.Sprintf("column %s was dropped", c.name)
		case name != c.name:
			return fmt.Sprintf("column %s was renamed to %s", c.name, name)
		}
	}
	return ""
}

// columns are all columns of the schema; ok is false where it does not parse.
func (m *Metadata) columns() (all []column, ok bool) {
	v, err := decode.ParseJSON([]byte(m.Schema))
	if err != nil || v.Kind != decode.Object {
		return nil, false
	}
	mapped := m.Mapped()
	var walk func(v decode.JSON, name, place string)
	walk = func(v decode.JSON, name, place string) {
		for _, child := range []string{"elementType", "keyType", "valueType"} {
			if t, ok := v.Get(child); ok {
				walk(t, name, place+"\x00"+child)
			}
		}
		fields, _ := v.Get("fields")
		for _, f := range fields.Items {
			c := column{name: name + textOf(f, "name"), place: place + "\x00" + textOf(f, "name")}
			if about, ok := f.Get("metadata"); ok && mapped {
				if physical := textOf(about, "delta.columnMapping.physicalName"); physical != "" {
					c.place = place + "\x00" + physical
				}
			}
			all = append(all, c)
			if t, ok := f.Get("type"); ok {
				walk(t, c.name+".", c.place)
			}
		}
	}
	walk(v, "", "")
	return all, true
}

func textOf(v decode.JSON, name string) string {
	t, _ := v.Get(name)
	return t.Text
}

// Unreadable says why rows that were written with this schema cannot be read with a newer one; "" where they can, or where one of
// the two does not parse (SchemaUtils.isReadCompatible with forbidTightenNullability, Delta 3.3).
func (m *Metadata) Unreadable(newer *Metadata) string {
	before, err := decode.ParseJSON([]byte(m.Schema))
	after, err2 := decode.ParseJSON([]byte(newer.Schema))
	if err != nil || err2 != nil {
		return ""
	}
	return misread(before, after, "")
}

// misread compares two types.
func misread(before, after decode.JSON, name string) string {
	if before.Kind != decode.Object || after.Kind != decode.Object || textOf(before, "type") != textOf(after, "type") {
		if before.Kind == after.Kind && before.Kind != decode.Object && before.Text == after.Text {
			return ""
		}
		return fmt.Sprintf("column %s was %s and is %s", strings.TrimSuffix(name, "."), typeName(before), typeName(after))
	}
	for _, child := range []struct{ name, nulls string }{{"elementType", "containsNull"}, {"keyType", ""}, {"valueType", "valueContainsNull"}} {
		b, ok := before.Get(child.name)
		a, ok2 := after.Get(child.name)
		if !ok || !ok2 {
			continue
		}
		if textOf(before, child.nulls) == "true" && textOf(after, child.nulls) == "false" {
			return fmt.Sprintf("column %s allowed nulls and no longer does", strings.TrimSuffix(name, "."))
		}
		if why := misread(b, a, name); why != "" {
			return why
		}
	}
	return misreadFields(before, after, name)
}

// misreadFields compares the fields of two structs.
func misreadFields(before, after decode.JSON, name string) string {
	old, _ := before.Get("fields")
	fields, _ := after.Get("fields")
	now := map[string]decode.JSON{}
	for _, f := range fields.Items {
		now[textOf(f, "name")] = f
	}
	for _, was := range old.Items {
		of := name + textOf(was, "name")
		is, ok := now[textOf(was, "name")]
		if !ok {
			return fmt.Sprintf("column %s is gone", of)
		}
		if textOf(was, "nullable") == "true" && textOf(is, "nullable") == "false" {
			return fmt.Sprintf("column %s allowed nulls and no longer does", of)
		}
		b, _ := was.Get("type")
		a, _ := is.Get("type")
		if why := misread(b, a, of+"."); why != "" {
			return why
		}
	}
	return ""
}

// typeName is a type in one word.
func typeName(v decode.JSON) string {
	if v.Kind == decode.Object {
		return textOf(v, "type")
	}
	return v.Text
}
