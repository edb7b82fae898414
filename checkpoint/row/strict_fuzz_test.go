package row

import "testing"

// FuzzStructFlaw gives anything to the strict reader of schemas: what it finds lies within the text.
func FuzzStructFlaw(f *testing.F) {
	f.Add(`{"type":"struct","fields":[{"name":"k","type":"tImestamp","nullable":true,"metadata":{}}]}`)
	f.Add(`{"type":"struct","fields":[{"name":"k","type":{"type":"map","keyType":"long","valueType":{"type":"array","elementType":"string","containsNull":true},"valueContainsNull":false},"nullable":true,"metadata":{}}]}x`)
	f.Add(`{"type":"struct","fields":[{"nqme":"k","type":"decimal(38,18)","nullable":true,"metadata":{}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if flaw := StructFlaw(text); flaw != nil && (flaw.Offset < 0 || flaw.Offset > int64(len(text))) {
			t.Fatalf("%q: %v at %d", text, flaw, flaw.Offset)
		}
	})
}
