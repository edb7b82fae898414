package spec

// Schema is the JSON Schema (draft 2020-12) of the form, for editors and for checks before a commit. It is made of
// the lists that Parse reads by.
func Schema() map[string]any {
	s := object(specKeys)
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "tidemark query spec, version 1"
	s["description"] = "What the code of a streaming query declares. Every key is optional; missing keys are not compared."
	return s
}
