package statestore

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
)

// MissingError is a version that cannot be rebuilt because files of it are not there.
type MissingError struct {
	Version int64
	Files   []string // names within the checkpoint, the first that are missing
	More    int64    // how many more are
}

func (e *MissingError) Error() string {
	more := ""
	if e.More > 0 {
		more = fmt.Sprintf(" and %d more", e.More)
	}
	if len(e.Files) == 1 && more == "" {
		return fmt.Sprintf("version %d cannot be rebuilt: %s is missing", e.Version, e.Files[0])
	}
	return fmt.Sprintf("version %d cannot be rebuilt: %s%s are missing", e.Version, strings.Join(e.Files, ", "), more)
}

// PassedError is a whole file that does not load, and that older files stand in for: rows come all the
// same, and are right.
type PassedError struct {
	File string
	Err  error
}

func (e *PassedError) Error() string {
	return fmt.Sprintf("%s does not load; the rows are rebuilt from the files before it. Spark 4.2 and later do the same, earlier releases do not: %v", e.File, e.Err)
}

func (e *PassedError) Unwrap() error { return e.Err }

// chain picks the files that rebuild the version of a store; broken are whole files that were found not
// to load.
func (s *State) chain(ctx context.Context, partition int, store *Store, broken []state.File) (state.Chain, error) {
	rules := state.Rules{Repairs: true, Broken: func(f state.File) bool { return slices.Contains(broken, f) }}
	if slices.ContainsFunc(store.Files, func(f state.File) bool { return f.ID != "" }) {
		id, err := s.idOf(ctx, partition, store)
		if err != nil {
			return state.Chain{}, err
		}
		ids, err := state.Lineage(store.Files, s.Version, id, rules,
			func(f state.File) ([]state.Link, error) { return s.links(ctx, store.Path(f)) })
		if err != nil {
			return state.Chain{}, err
		}
		rules.ID = func(version int64) (string, bool) { id, ok := ids[version]; return id, ok }
	}
	chain := state.ChainOf(store.Files, s.Version, rules)
	if !chain.Whole() {
		return chain, s.missing(store, &chain, rules)
	}
	if empty := chain.Empty(); len(empty) > 0 {
		return chain, &decode.Error{Where: decode.Where{File: store.Path(empty[0])}, Flaw: decode.Empty, What: "state file",
			Err: errors.New("the file is empty")}
	}
	return chain, nil
}

// missing names the files that a chain lacks.
func (s *State) missing(store *Store, chain *state.Chain, rules state.Rules) error {
	const named = 3
	e := &MissingError{Version: s.Version}
	name := func(v int64, role state.Role) string {
		id := ""
		if rules.ID != nil {
			id, _ = rules.ID(v)
		}
		return path.Join(store.Dir, state.Name(v, id, role))
	}
	role := state.Delta
	if s.Operator.Provider == "rocksdb" {
		if role = state.Changelog; !slices.ContainsFunc(store.Files, func(f state.File) bool { return f.Role == state.Changelog }) {
			e.Files = []string{name(s.Version, state.Zip)} // without changelogs each version is one zip
			return e
		}
	}
	for _, span := range chain.Missing {
		for v := span.From; v <= span.To && len(e.Files) < named; v++ {
			e.Files = append(e.Files, name(v, role))
		}
		e.More += span.To - span.From + 1
	}
	e.More -= int64(len(e.Files))
	return e
}

// idOf is the id of the wanted version. Where no commit records it, the only file of that version tells.
func (s *State) idOf(ctx context.Context, partition int, store *Store) (string, error) {
	commit, err := s.commit(ctx, s.Version)
	if err != nil {
		return "", err
	}
	if id := stateID(commit, s.Operator.ID, partition, store.Name); id != "" {
		return id, nil
	}
	var ids []string
	for _, f := range store.Files {
		if f.Version == s.Version && !slices.Contains(ids, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	switch len(ids) {
	case 0:
		return "", nil
	case 1:
		return ids[0], nil
	}
	return "", fmt.Errorf("version %d was written %d times (%s), and no commit records which one counts", s.Version, len(ids), strings.Join(ids, ", "))
}

// links is the lineage that a changelog begins with.
func (s *State) links(ctx context.Context, name string) ([]state.Link, error) {
	r, err := s.c.Store().Open(ctx, name, 0, -1)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	inflated, codec, err := state.Inflate(name, r)
	if err != nil {
		return nil, err
	}
	log, err := state.OpenChangelog(codec.In(name), inflated)
	if err != nil {
		return nil, err
	}
	return log.Lineage, nil
}
