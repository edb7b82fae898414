package trace

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
)

// What conditions about state say is recorded, held against what is. Each of these is the look of one condition, or
// of several that say the same; "" where the message does not have the values, or nothing is recorded.

// ---- what an operator records of itself

// property are the values that the newest metadata of the operators has under a name: those of transformWithState,
// since 4.0.
func (l *look) property(name string) (all []record) {
	for o := range l.v.Operators {
		if m := l.v.Operators[o].Metadata; m != nil && m.Properties != "" {
			if p, err := decode.ParseJSON([]byte(m.Properties)); err == nil {
				if v, ok := p.Get(name); ok && v.Text != "" {
					all = append(all, record{m.File, v.Text})
				}
			}
		}
	}
	return all
}

// variable is a state variable of transformWithState, as its operator records it.
type variable struct {
	file, name, kind string
	ttl              bool
}

func (l *look) variables() (all []variable) {
	for o := range l.v.Operators {
		m := l.v.Operators[o].Metadata
		if m == nil || m.Properties == "" {
			continue
		}
		p, err := decode.ParseJSON([]byte(m.Properties))
		if err != nil {
			continue
		}
		list, _ := p.Get("stateVariables")
		for _, v := range list.Items {
			name, _ := v.Get("stateName")
			kind, _ := v.Get("stateVariableType")
			ttl, _ := v.Get("ttlEnabled")
			all = append(all, variable{m.File, name.Text, kind.Text, ttl.Text == "true"})
		}
	}
	return all
}

// lookMode: does the operator record the mode that the message calls the old one?
func (l *look) lookMode() (Agreement, string) {
	name, old, now := "", "", ""
	if v := l.said("Cannot change … from … to … between restarts"); v != nil {
		name, old, now = v[0], v[1], v[2]
	} else if v := l.said("… is not equal to …. Please set"); v != nil { // 4.0's first layout: "timeMode EventTime is not equal to …"
		name, old, _ = strings.Cut(v[0], " ")
		now = v[1]
	}
	if old == "" {
		return "", ""
	}
	recorded := l.property(name)
	if len(recorded) == 0 {
		return CannotTell, "No operator of this checkpoint records " + shortly(name) + ": only transformWithState does, in state/N/_metadata."
	}
	return held(name, old, "; the query used "+shortly(now), recorded)
}

// lookVariable: does the operator record the variable as what the message calls the old type?
func (l *look) lookVariable() (Agreement, string) {
	v := l.said("Cannot change … to … between query restarts. Please set … to …, or", "Cannot change … to … between query restarts. Please set … to … or")
	if v == nil {
		return "", ""
	}
	var recorded []record
	var names []string
	for _, x := range l.variables() {
		names = append(names, x.name)
		if x.name == v[0] {
			recorded = append(recorded, record{x.file, x.kind})
		}
	}
	if len(recorded) == 0 && len(names) > 0 {
		return Disagrees, "No operator of this checkpoint records a state variable " + shortly(v[0]) + "; those recorded are " + listed(names) + "."
	}
	return held("the type of "+v[0]+" as", v[3], "; the query has "+shortly(v[1]), recorded)
}

// lookVariableKept: is the variable recorded whose kind the message does not take?
func (l *look) lookVariableKept() (Agreement, string) {
	v := l.said("variable type … (TTL_Enabled: …, ColFamilyName: …)")
	if v == nil {
		return "", ""
	}
	var names []string
	for _, x := range l.variables() {
		if x.name == v[2] {
			return held("the type of "+x.name+" as", v[0], "", []record{{x.file, x.kind}})
		}
		names = append(names, x.name)
	}
	if len(names) == 0 {
		return "", ""
	}
	return Disagrees, "No operator of this checkpoint records a state variable " + shortly(v[2]) + "; those recorded are " + listed(names) + "."
}

// lookOperator: is there an operator of that name?
func (l *look) lookOperator() (Agreement, string) {
	v := l.said("operator …. Please")
	if v == nil {
		return "", ""
	}
	var names []record
	for o := range l.v.Operators {
		if op := &l.v.Operators[o]; op.Name != "" && !op.Guessed {
			names = append(names, record{op.Dir, op.Name})
		}
	}
	return held("the operator", v[0], "", names)
}

// lookRecord: does every operator have the metadata that names it?
func (l *look) lookRecord() (Agreement, string) {
	for o := range l.v.Operators {
		op := &l.v.Operators[o]
		switch {
		case op.Err != nil:
			return "", ""
		case op.Metadata == nil:
			return Agrees, op.Dir + " has no readable operator metadata: Spark before 4.0 wrote none."
		case len(op.Metadata.Problems) > 0:
			return Agrees, op.Metadata.File + " exists but cannot be decoded."
		}
	}
	if len(l.v.Operators) == 0 {
		return Agrees, "state contains no operator folder."
	}
	return Disagrees, "Every operator has readable metadata now: " + l.v.Operators[0].Metadata.File + "."
}

// lookMetadataVersion: is the metadata of an operator of a version that Spark does not know?
func (l *look) lookMetadataVersion() (Agreement, string) {
	for o := range l.v.Operators {
		if m := l.v.Operators[o].Metadata; m != nil && m.Version != 1 && m.Version != 2 {
			return Agrees, fmt.Sprintf("%s has version %d.", m.File, m.Version)
		}
	}
	return "", ""
}

// lookSchemaFile: does every operator have a schema that can be read?
func (l *look) lookSchemaFile() (Agreement, string) {
	if len(l.v.Operators) == 0 {
		return Agrees, "state contains no operator folder."
	}
	for o := range l.v.Operators {
		op := &l.v.Operators[o]
		all := slices.Concat(op.Schemas, op.Current)
		if op.Err == nil && len(all) == 0 {
			return Agrees, op.Dir + " has no state schema: releases before 3.1 wrote none."
		}
		for _, s := range all {
			if len(s.Problems) > 0 {
				return Agrees, s.File + " exists but cannot be decoded."
			}
		}
	}
	return Disagrees, "Every operator has a readable state schema now."
}

// lookPartitions: does an operator lack partitions?
func (l *look) lookPartitions() (Agreement, string) {
	for o := range l.v.Operators {
		if op := &l.v.Operators[o]; op.Err == nil && len(op.Partitions) == 0 {
			return Agrees, op.Dir + " contains no partition folder."
		}
	}
	if len(l.v.Operators) == 0 {
		return Agrees, "state contains no operator folder."
	}
	return Disagrees, fmt.Sprintf("Every operator has partition folders now; %s has %d.", l.v.Operators[0].Dir, len(l.v.Operators[0].Partitions))
}

// lookPartition: is the partition there that was not found?
func (l *look) lookPartition() (Agreement, string) {
	v := l.said("Partition id … not found for state of operator … at")
	if v == nil || !digits.MatchString(v[0]) || !digits.MatchString(v[1]) {
		return "", ""
	}
	dir := "state/" + v[1]
	in := l.list(dir)
	switch e := in.Find(v[0]); {
	case in.Err != nil:
		return "", ""
	case e == nil:
		return Agrees, dir + "/" + v[0] + " is missing. " + holds(dir, in, v[0])
	}
	return Disagrees, dir + "/" + v[0] + " exists."
}

// ---- column families and schemas

// families are the recorded column families with this name; with "" all of them.
func (l *look) families(name string) (found []familyAt, names []string) {
	for o := range l.v.Operators {
		op := &l.v.Operators[o]
		schemas := op.Current
		if len(schemas) == 0 {
			schemas = op.Schemas
		}
		for _, s := range schemas {
			for i := range s.Families {
				f := &s.Families[i]
				names = append(names, f.Name)
				if name == "" || f.Name == name {
					found = append(found, familyAt{s.File, f})
				}
			}
		}
	}
	return found, names
}

type familyAt struct {
	file string
	*state.Family
}

// lookFamily: is the column family recorded, with the schema that the message calls the old one?
func (l *look) lookFamily() (Agreement, string) {
	v := l.said("column family=…, oldSchema=…, newSchema=…")
	if v == nil {
		return "", ""
	}
	found, names := l.families(v[0])
	if len(found) == 0 {
		if len(names) == 0 {
			return "", ""
		}
		return Disagrees, "No schema of this checkpoint has a column family " + shortly(v[0]) + "; those recorded are " + listed(names) + "."
	}
	return l.columnsHeld(namedColumns(v[1]), namedColumns(v[2]), found)
}

// lookEvolution: is the schema recorded that the new one must read?
func (l *look) lookEvolution() (Agreement, string) {
	v := l.said("new value_schema=… and old value_schema=… Please", "new value_schema=… and old value_schema=…")
	if v == nil {
		return "", ""
	}
	found, _ := l.families("")
	return l.columnsHeld(namedColumns(v[1]), namedColumns(v[0]), found)
}

// columnsHeld holds names of columns against those of families.
func (l *look) columnsHeld(old, now []string, found []familyAt) (Agreement, string) {
	if len(found) == 0 || len(old) == 0 {
		return "", ""
	}
	var recorded []string
	for _, f := range found {
		for part, fields := range map[string][]state.Field{"key": f.Key, "value": f.Value} {
			columns := namesOf(fields)
			if slices.Equal(columns, old) {
				because := fmt.Sprintf("%s records the %s of %s with the old columns of the message: %s", f.file, part, f.Name, listed(old))
				if len(now) > 0 {
					because += "; the query has " + listed(now)
				}
				return Agrees, because + "."
			}
		}
		recorded = append(recorded, f.Name+" with "+listed(namesOf(f.Value)))
	}
	return Disagrees, "No schema of this checkpoint has the old columns of the message now, " + listed(old) + ". Recorded: " + strings.Join(recorded[:min(len(recorded), 4)], "; ") + "."
}

var jsonName = patternOf(`"name" ?: ?"([^"\\]{1,200})"`)

// namedColumns are the names of the columns of a schema as a message prints it: StructType(…), or JSON.
func namedColumns(text string) (names []string) {
	if _, fields, ok := strings.Cut(text, "StructType("); ok {
		names, _ = columnsOf(fields)
		return names
	}
	if i := strings.Index(text, `"fields"`); i >= 0 { // before it Avro has the name of the record itself
		for _, m := range jsonName.FindAllStringSubmatch(text[i:], 1000) {
			names = append(names, m[1])
		}
	}
	return names
}

// lookFamilyMissing: is the column family recorded that the store did not have?
func (l *look) lookFamilyMissing() (Agreement, string) {
	v := l.said("on missing column family=…")
	if v == nil {
		return "", ""
	}
	name := strings.TrimRight(firstWord(v[0]), ".")
	found, names := l.families(name)
	switch {
	case len(names) == 0:
		return "", ""
	case len(found) == 0:
		return Agrees, "No schema of this checkpoint has a column family " + shortly(name) + "; those recorded are " + listed(names) + "."
	}
	return Disagrees, found[0].file + " records the column family " + shortly(name) + "."
}

// lookFamilyUnknown: is the column family recorded that this release does not know?
func (l *look) lookFamilyUnknown() (Agreement, string) {
	v := l.said("internal column family: …. This", "internal column family: …")
	if v == nil {
		return "", ""
	}
	found, names := l.families(v[0])
	switch {
	case len(names) == 0:
		return "", ""
	case len(found) > 0:
		return Agrees, found[0].file + " records the column family " + shortly(v[0]) + ". Another release wrote it."
	}
	return Disagrees, "No schema of this checkpoint has a column family " + shortly(v[0]) + "; those recorded are " + listed(names) + "."
}

// lookEncoder: does the column family lack a key encoder?
func (l *look) lookEncoder() (Agreement, string) {
	v := l.said("for column family … but was not found")
	if v == nil {
		return "", ""
	}
	found, names := l.families(v[0])
	switch {
	case len(found) > 0 && found[0].Encoder == "":
		return Agrees, found[0].file + " records the column family " + shortly(v[0]) + " without a key encoder. Only version 3 of that file (Spark 4.0 and later) has one."
	case len(found) > 0:
		return Disagrees, found[0].file + " records a key encoder for the column family " + shortly(v[0]) + "."
	case len(names) > 0:
		return Disagrees, "No schema of this checkpoint has a column family " + shortly(v[0]) + "; those recorded are " + listed(names) + "."
	}
	return "", ""
}

// lookSchemaCount: does the operator record one schema file less than the message counts?
func (l *look) lookSchemaCount() (Agreement, string) {
	v := l.said("number of state schema files … exceeds the maximum number of state schema files for this query: …. Added", "number of state schema files … exceeds the maximum number of state schema files for this query: ….")
	if v == nil {
		return "", ""
	}
	said, ok := number(v[0])
	if !ok {
		return "", ""
	}
	var counts []record
	for o := range l.v.Operators {
		m := l.v.Operators[o].Metadata
		if m == nil {
			continue
		}
		for _, store := range m.Stores {
			n := int64(len(store.SchemaFiles))
			if n > 0 && n == said-1 { // the new one counts, and is not written
				return Agrees, fmt.Sprintf("%s records %d schema files. The new one would be number %d, but only %s are allowed.", m.File, n, n+1, shortly(v[1]))
			}
			if n > 0 {
				counts = append(counts, record{m.File, fmt.Sprint(n)})
			}
		}
	}
	return held("the number of schema files as", v[0], "", counts)
}

// lookEvolutionCount: has the value of the column family as many schemas as the message says?
func (l *look) lookEvolutionCount() (Agreement, string) {
	v := l.said("number of state schema evolutions … exceeds the maximum number of state schema evolutions, …, allowed for this column family. Offending column family: … Please")
	if v == nil {
		return "", ""
	}
	said, ok := number(v[0])
	found, names := l.families(strings.TrimRight(v[2], "."))
	switch {
	case !ok || len(names) == 0:
		return "", ""
	case len(found) == 0:
		return Disagrees, "No schema of this checkpoint has a column family " + shortly(v[2]) + "; those recorded are " + listed(names) + "."
	case int64(found[0].ValueID) == said || int64(found[0].ValueID) == said-1:
		return Agrees, fmt.Sprintf("%s records the value schema of %s with number %d, counted from 0. The message has %d, and %s are allowed.", found[0].file, shortly(v[2]), found[0].ValueID, said, shortly(v[1]))
	}
	return Disagrees, fmt.Sprintf("%s records the value schema of %s with number %d, counted from 0, but the message has %d.", found[0].file, shortly(v[2]), found[0].ValueID, said)
}

func firstWord(s string) string {
	s, _, _ = strings.Cut(s, " ")
	return s
}

// ---- files of state

// lookSize: has the file the size that Spark found, or the one that it expected?
func (l *look) lookSize() (Agreement, string) {
	v := l.said("Copied … to …, expected … bytes, found … bytes")
	if v == nil {
		return "", ""
	}
	f, ok := fileIn(v[0])
	if !ok {
		return "", ""
	}
	return l.sizeHeld(f.Name, v[2], v[3])
}

// lookChecksum: has the file the size that its checksum file records?
func (l *look) lookChecksum() (Agreement, string) {
	v := l.said("File: … Expected (file size: …, checksum: …), Computed (file size: …, checksum: …)")
	if v == nil || v[1] == v[3] { // of the same size: the checks read the file and its checksum
		return "", ""
	}
	f, ok := fileIn(v[0])
	if !ok {
		return "", ""
	}
	return l.sizeHeld(f.Name, v[1], v[3])
}

// sizeHeld holds the size of a file against the two that a message says.
func (l *look) sizeHeld(name, expected, found string) (Agreement, string) {
	i := slices.IndexFunc(l.Places, func(p TraceRef) bool { return p.Name == name && p.about == "file" })
	want, ok := number(expected)
	had, ok2 := number(found)
	if i < 0 || !ok || !ok2 || l.Places[i].State != There {
		return "", ""
	}
	switch size := l.Places[i].Size; size {
	case had:
		return Agrees, fmt.Sprintf("%s has %s, as Spark found. Its recorded size is %s.", name, phrase.Units(size, "bytes"), phrase.Units(want, "bytes"))
	case want:
		if f := l.telling(); f != nil && l.at(f) {
			return "", ""
		}
		return Disagrees, fmt.Sprintf("%s has its recorded size now, %s, but Spark found %s. Someone may have put it back, or Spark's copy was truncated.", name, phrase.Units(size, "bytes"), phrase.Units(had, "bytes"))
	default:
		return Disagrees, fmt.Sprintf("%s has %s now, neither the %s Spark found nor the %s it expected. It was written again since.", name, phrase.Units(size, "bytes"), phrase.Count(had), phrase.Count(want))
	}
}

// lookIDs: do the commits record the id that the message calls expected?
func (l *look) lookIDs() (Agreement, string) {
	v := l.said("for batch …. The base checkpoint ID reported by partition … of operator … does not match the expected checkpoint ID. Expected: …. Actual: ….",
		"for batch …. The base checkpoint ID reported by partition … of operator … does not match the expected checkpoint ID. Expected: …. Actual: …")
	if v == nil {
		return "", ""
	}
	batch, ok := number(v[0])
	part, err := strconv.Atoi(v[1])
	if !ok || err != nil {
		return "", ""
	}
	expected, actual := idsOf(v[3]), idsOf(v[4])
	have := func(recorded, said []string) bool {
		return slices.ContainsFunc(said, func(id string) bool { return slices.Contains(recorded, id) })
	}
	for _, id := range []int64{batch - 1, batch, batch - 2} { // the ids of a state version stand in the commit of the batch before
		b := l.commitOf(id)
		if b == nil || b.StateUniqueIDs == nil || part < 0 || part >= len(b.StateUniqueIDs[v[2]]) {
			continue
		}
		switch ids := b.StateUniqueIDs[v[2]][part]; {
		case have(ids, expected):
			return Agrees, fmt.Sprintf("%s records the ID %s for operator %s, partition %d, as expected. The loaded state had %s.", b.File, listed(expected), shortly(v[2]), part, listed(actual))
		case have(ids, actual):
			return Disagrees, fmt.Sprintf("%s records the ID %s for operator %s, partition %d now: the loaded one of the message.", b.File, listed(actual), shortly(v[2]), part)
		}
	}
	return Disagrees, fmt.Sprintf("Neither ID is in the commit files now: none next to batch %d records %s or %s for operator %s, partition %d.", batch, listed(expected), listed(actual), shortly(v[2]), part)
}

var oneID = patternOf(uuid)

// idsOf are the ids in a text: one, or as Spark prints those of the four stores of a join, [a, b, c, d].
func idsOf(s string) (ids []string) {
	for _, m := range oneID.FindAllStringSubmatch(s, placeLimit) {
		ids = append(ids, m[1])
	}
	return ids
}

var lineageItem = patternOf(`(\d{1,18})\D{1,20}?` + uuid)

// lookLineage: are the files there of the versions that the message lists?
func (l *look) lookLineage() (Agreement, string) {
	items := lineageItem.FindAllStringSubmatch(l.message(), placeLimit)
	if len(items) == 0 {
		return "", ""
	}
	snapshots := l.Condition.Name == "CANNOT_LOAD_STATE_STORE.CANNOT_FIND_BASE_SNAPSHOT_CHECKPOINT"
	var there, missing []string
	for _, m := range items {
		version, _ := number(m[1])
		if file := l.fileOf(version, m[2], snapshots); file != "" {
			there = append(there, file)
		} else {
			missing = append(missing, m[1]+"_"+m[2])
		}
	}
	switch {
	case snapshots && len(there) == 0:
		return Agrees, "None of the versions in the message has a snapshot: " + listed(missing) + "."
	case snapshots:
		return Disagrees, there[0] + " is a snapshot of a version in the message. Someone may have put it back."
	case len(missing) > 0:
		return Agrees, "These versions of the message have no file: " + listed(missing) + "."
	}
	return "", ""
}

// fileOf is a state file of a version with an id, "" for none.
func (l *look) fileOf(version int64, id string, snapshot bool) string {
	for o := range l.v.Operators {
		for p := range l.v.Operators[o].Partitions {
			for s := range l.v.Operators[o].Partitions[p].Stores {
				store := &l.v.Operators[o].Partitions[p].Stores[s]
				for _, f := range store.Files {
					if f.Version == version && f.ID == id && (!snapshot || f.Role.Whole()) {
						return store.Path(f)
					}
				}
			}
		}
	}
	return ""
}

// lookRepair: are the snapshots there that the repair went through?
func (l *look) lookRepair() (Agreement, string) {
	v := l.said("Failed to load snapshot version … for state store …. An attempt to auto repair using snapshot versions (…) out of available snapshots (…) also failed")
	if v == nil || len(l.Stores) == 0 {
		return "", ""
	}
	if f := l.telling(); f != nil && l.at(f) {
		return "", ""
	}
	store := l.storeAt(l.Stores[0].Dir())
	version, ok := number(v[0])
	if store == nil || !ok {
		return "", ""
	}
	for _, f := range store.Files {
		if f.Version == version && f.Role.Whole() {
			return "", "" // whether it reads, the checks tell
		}
	}
	return Agrees, fmt.Sprintf("%s has no snapshot of version %d now.", store.Dir, version)
}

func (l *look) storeAt(dir string) *statestore.Store {
	for o := range l.v.Operators {
		for p := range l.v.Operators[o].Partitions {
			for s := range l.v.Operators[o].Partitions[p].Stores {
				if store := &l.v.Operators[o].Partitions[p].Stores[s]; store.Dir == dir {
					return store
				}
			}
		}
	}
	return nil
}

// lookJoin: which version of the partition does the next start load? Whether the stores of a join fit is not compared.
func (l *look) lookJoin() (Agreement, string) {
	if l.telling() != nil {
		return "", ""
	}
	const open = "The count and value stores of a key are not compared here (tidemark state shows both)."
	v := l.said("storeVersion=…, partitionId=…. Enable")
	if v == nil {
		return CannotTell, open
	}
	version, ok := number(v[0])
	part, err := strconv.Atoi(v[1])
	if !ok || err != nil {
		return CannotTell, open
	}
	for i := range l.v.Loads {
		if ld := &l.v.Loads[i]; ld.Partition == part && strings.Contains(ld.Name, "-key") {
			return CannotTell, fmt.Sprintf("The next start loads version %d of partition %d, but the message has %d. ", ld.Version, part, version) + open
		}
	}
	return CannotTell, fmt.Sprintf("The next start loads no join state for partition %d.", part)
}

// lookRows: rows and their checksums are compared where rows are read, and not here.
func (l *look) lookRows() (Agreement, string) {
	if l.telling() != nil {
		return "", ""
	}
	return CannotTell, "No damaged file of that state was found. Row checksums were not checked: tidemark state LOCATION --operator N reads the rows and checks them."
}

// lookUnknown: of a condition that is not known nothing is known that would confirm it.
func (l *look) lookUnknown() (Agreement, string) {
	if l.telling() != nil || l.predicted() {
		return "", ""
	}
	return l.judgeUnknown()
}

// lookCommits: was the batch committed after all, and are there as many stores as the message says?
func (l *look) lookCommits() (Agreement, string) {
	v := l.said("for batch …. Expected … commits but got …. Missing commits: …. This", "for batch …. Expected … commits but got …. Missing commits: …")
	if v == nil {
		return "", ""
	}
	batch, ok := number(v[0])
	if !ok {
		return "", ""
	}
	if l.cp.Commits.Err == nil && l.cp.Commits.Find(batch) != nil {
		return Disagrees, fmt.Sprintf("commits/%d exists now: a later run committed the batch.", batch)
	}
	stores := int64(0)
	for o := range l.v.Operators {
		if m := l.v.Operators[o].Metadata; m != nil {
			for _, s := range m.Stores {
				stores += s.Partitions
			}
		}
	}
	text := fmt.Sprintf("Batch %d is not committed, which fits this error. Spark expected %s stores, and %s were written.", batch, shortly(v[1]), shortly(v[2]))
	if said, ok := number(v[1]); ok && stores > 0 {
		if said != stores {
			return CannotTell, text + fmt.Sprintf(" The operators of this checkpoint record %d stores: the query has other ones, or another number of partitions.", stores)
		}
		text += " The operators of this checkpoint record as many."
	}
	return Agrees, text
}

// ---- the provider

const confProvider = "spark.sql.streaming.stateStore.providerClass"

// lookProvider: is it the provider that the plan pins?
func (l *look) lookProvider() (Agreement, string) {
	v := l.said("State Store Provider … does not extend", "column families with … is not supported", "State TTL with … is not supported", "Store backend … is not supported",
		"for provider ….", "state. … is not supported", "… is not supported")
	if v == nil {
		return "", ""
	}
	pinned, file := l.pinned(confProvider)
	if pinned == "" {
		return "", ""
	}
	if kind := providerKind(v[0]); kind != "" && kind == providerKind(pinned) || simpleName(v[0]) == simpleName(pinned) {
		return Agrees, file + " records the state store provider of the message, " + shortly(pinned) + "."
	}
	return Disagrees, file + " records the state store provider " + shortly(pinned) + ", but the message has " + shortly(v[0]) + "."
}

func providerKind(class string) string {
	for _, kind := range []string{"RocksDB", "HDFS"} {
		if strings.Contains(class, kind) {
			return kind
		}
	}
	return ""
}

func simpleName(class string) string { return path.Ext("." + class) }
