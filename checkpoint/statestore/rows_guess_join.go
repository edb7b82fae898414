package statestore

import (
	"strconv"
	"strings"

	"tidemark/checkpoint/row"
)

// The stores of a join are known by their names, and so are the columns that Spark names and types itself
// (SymmetricHashJoinStateManager): field0 and on for the columns that are joined on, index, value, and with format 2, from
// 3.0 on, matched behind the columns of the input row.

var (
	longType    = &row.Type{Kind: row.Long, Name: "long"}
	booleanType = &row.Type{Kind: row.Boolean, Name: "boolean"}
)

// guessJoin names what is known of the guessed stores of a join, and adds its sides.
func (s *State) guessJoin() {
	var guessed []*View
	for _, name := range JoinStores {
		if v := s.find(name); v != nil && v.Guessed {
			guessed = append(guessed, v)
		}
	}
	for _, v := range guessed {
		for _, other := range guessed { // both sides are joined on columns of the same types
			if joinedOn(v) == joinedOn(other) {
				v.guess.key = v.guess.key.Alike(other.guess.key)
			}
		}
	}
	for _, v := range guessed {
		s.nameJoined(v)
	}
	if len(guessed) > 0 {
		s.joinViews()
	}
}

// indexed reports whether a store of a join has its rows, each under a key with an index.
func indexed(store string) bool { return strings.HasSuffix(store, "-keyWithIndexToValue") }

// joinedOn is how many columns the guessed key of a store of a join has without its index; below 1 where it has no rows.
func joinedOn(v *View) int {
	if indexed(v.Name) {
		return v.guess.key.Columns - 1
	}
	return v.guess.key.Columns
}

// sameKeys reports whether the guessed keys of two stores of one side of a join have the same columns, or one store has none.
func sameKeys(a, b *View) bool {
	if a.guess.key.Whole() || b.guess.key.Whole() {
		return false
	}
	return joinedOn(a) < 1 || joinedOn(b) < 1 || joinedOn(a) == joinedOn(b)
}

// nameJoined gives the columns of a store of a join the names and types that Spark gives them.
func (s *State) nameJoined(v *View) {
	if v.guess.key.Whole() {
		return
	}
	key, value := v.guess.key.Type().Fields, v.guess.value.Type().Fields
	on, last := joinedOn(v), len(value)-1
	for i := range max(on, 0) {
		key[i].Name = "field" + strconv.Itoa(i)
	}
	switch {
	case !indexed(v.Name) && last == 0:
		value[last] = row.Field{Name: "value", Type: longType, Nullable: true}
	case indexed(v.Name) && last >= 0 && s.Conf[confJoin] == "2" && v.guess.value.IsWord(last):
		value[last] = row.Field{Name: "matched", Type: booleanType, Nullable: true}
	}
	if indexed(v.Name) && on >= 0 {
		key[on] = row.Field{Name: "index", Type: longType, Nullable: true}
	}
	v.guessedTypes(row.StructOf(key...), row.StructOf(value...))
}
