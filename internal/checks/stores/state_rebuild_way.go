package stores

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

// Rebuild is how a version of a store is had again from the files that are there and good.
type Rebuild struct {
	Chain state.Chain
	Aside []state.File // whole files that are no good and that a start would load: they have to be out of the way
}

// RebuildWithout looks for a way to load a version of the store from the files that are there, with whole files that are no
// good set aside: Spark then takes an older one, and what each batch after it changed. It looks into the files that it
// comes to. ok is false where there is no such way.
func (n *Need) RebuildWithout(ctx context.Context, p *checks.Pass, version int64) (r Rebuild, ok bool, err error) {
	if n.store == nil {
		return r, false, nil
	}
	store, at := *n.store, *n
	at.store = &store
	for {
		at.rules = stateRules(p, &at, n.Chain.Version)
		r.Chain = state.ChainOf(store.Files, version, at.rules)
		if !r.Chain.Whole() {
			return r, false, nil
		}
		if more := at.unread(p, &r.Chain); len(more) > 0 {
			if err := look(ctx, p, more); err != nil {
				return r, false, err
			}
			continue
		}
		bad := slices.IndexFunc(r.Chain.Files, func(f state.File) bool { return !at.good(p, f) })
		if bad < 0 {
			return r, true, nil
		}
		f := r.Chain.Files[bad]
		if c := at.Contents(p, f); !f.Role.Whole() || c != nil && len(c.Unread) > 0 {
			return r, false, nil
		}
		r.Aside = append(r.Aside, f)
		store.Files = slices.DeleteFunc(slices.Clone(store.Files), func(o state.File) bool { return o.Name() == f.Name() })
	}
}

// good reports whether nothing is known to be wrong with a file of the store, and all of what it names could be had.
func (n *Need) good(p *checks.Pass, f state.File) bool {
	c := n.Contents(p, f)
	return f.Size > 0 && !ContentsOf(p).Wrong[n.Path(f.Name())] && (c == nil || len(c.Flaws)+len(c.Unread) == 0)
}

// asideRules are the rules of a start that finds no whole file that is no good.
func (n *Need) asideRules(p *checks.Pass) state.Rules {
	rules := n.rules
	rules.Repairs = true
	rules.Broken = func(f state.File) bool { return !n.good(p, f) }
	return rules
}

// lookRounds is how often files are looked into because those before them were no good.
const lookRounds = 8

// lookAhead looks into the files of all stores from which the newest versions up to limit are rebuilt, many at once; what
// one store needs beyond that is looked into by rebuild.
func lookAhead(ctx context.Context, p *checks.Pass, limit int64) error {
	if ContentsOf(p).ahead[limit] {
		return nil
	}
	if ContentsOf(p).ahead == nil {
		ContentsOf(p).ahead = map[int64]bool{}
	}
	ContentsOf(p).ahead[limit] = true
	for range lookRounds {
		var more []statestore.File
		for n := range Needs(p) {
			rules := n.asideRules(p)
			c := state.ChainOf(n.Files(), state.NewestLoading(n.Files(), limit, rules), rules)
			more = append(more, n.unread(p, &c)...)
		}
		if len(more) == 0 {
			return nil
		}
		if err := look(ctx, p, more); err != nil {
			return err
		}
	}
	return nil
}

// newestRebuilt is the newest version up to limit that the store can be rebuilt at, whole files that are no good set
// aside; 0 for none.
func (n *Need) newestRebuilt(ctx context.Context, p *checks.Pass, limit int64) (int64, error) {
	rules := n.asideRules(p)
	for limit > 0 {
		version := state.NewestLoading(n.Files(), limit, rules)
		if version == 0 {
			return 0, nil
		}
		if _, ok, err := n.RebuildWithout(ctx, p, version); ok || err != nil {
			return version, err
		}
		limit = version - 1
	}
	return 0, nil
}

// NewestForAll is the newest version up to limit that every store of the next start can be rebuilt at, whole files
// that are no good set aside; 0 where there is none.
func NewestForAll(ctx context.Context, p *checks.Pass, limit int64) (int64, error) {
	asked := limit
	if version, known := ContentsOf(p).Newest[asked]; known {
		return version, nil
	}
	if ContentsOf(p).Newest == nil {
		ContentsOf(p).Newest = map[int64]int64{}
	}
	if len(GoneState(p)) > 0 {
		return 0, nil
	}
	for {
		if err := lookAhead(ctx, p, limit); err != nil {
			return 0, err
		}
		lowest := limit
		for n := range Needs(p) {
			version, err := n.newestRebuilt(ctx, p, lowest)
			if err != nil {
				return 0, err
			}
			if lowest = min(lowest, version); lowest == 0 {
				break
			}
		}
		if lowest == limit || lowest == 0 {
			ContentsOf(p).Newest[asked] = lowest
			return lowest, nil
		}
		limit = lowest
	}
}

// StateAsides are the whole files of all stores that have to be out of the way for a version to load; ok is false
// where it cannot be rebuilt, and then because says of which store.
func StateAsides(ctx context.Context, p *checks.Pass, version int64) (asides []StateAside, because string, err error) {
	if gone := GoneState(p); version > 0 && len(gone) > 0 {
		return nil, gone[0].Evidence, nil
	}
	if err := lookAhead(ctx, p, version); err != nil {
		return nil, "", err
	}
	for n := range Needs(p) {
		r, ok, err := n.RebuildWithout(ctx, p, version)
		switch {
		case err != nil:
			return nil, "", err
		case !ok:
			return nil, fmt.Sprintf("version %d cannot be rebuilt from the other files of %s", version, n.Dir), nil
		case len(r.Aside) > 0:
			asides = append(asides, StateAside{n, r})
		}
	}
	return asides, "", nil
}

// StateAside is a store that loads once files are set aside.
type StateAside struct {
	Need
	Rebuild
}

// Files are the paths of what is set aside, the checksums beside each included.
func (a *StateAside) Files() (names []string) {
	for _, f := range a.Aside {
		names = append(names, WithSums(a.Dir, f)...)
	}
	return names
}

// WithSums are the paths of a state file and of the checksum files beside it.
func WithSums(dir string, f state.File) []string {
	at := statestore.File{Dir: dir, File: f}.Path()
	names := []string{at}
	if f.Sums&state.SparkSum != 0 {
		names = append(names, at+".crc")
	}
	if f.Sums&state.HadoopSum != 0 {
		names = append(names, dir+"/."+f.Name()+".crc")
	}
	if f.Sums&state.SumOfSum != 0 {
		names = append(names, dir+"/."+f.Name()+".crc.crc")
	}
	return names
}

// RebuiltFrom is what a version is rebuilt from: "6.zip and 7.changelog to 12.changelog".
func RebuiltFrom(c *state.Chain) string {
	files := c.Files
	text := ""
	if len(files) > 0 && files[0].Role.Whole() {
		text, files = files[0].Name(), files[1:]
	}
	if len(files) == 0 {
		return text
	}
	steps := files[0].Name()
	if len(files) > 1 {
		steps += " to " + files[len(files)-1].Name()
	}
	if text == "" {
		return steps
	}
	return text + " and " + steps
}

// wayBack says how a store that cannot be loaded is had again at the least cost, as evidence and as the act. It looks
// into the files of that way.
func wayBack(ctx context.Context, p *checks.Pass, n *Need) (evidence, act string, err error) {
	if err := lookAhead(ctx, p, n.Chain.Version); err != nil {
		return "", "", err
	}
	r, ok, err := n.RebuildWithout(ctx, p, n.Chain.Version)
	if err != nil {
		return "", "", err
	}
	if ok && len(r.Aside) > 0 {
		return fmt.Sprintf(". Version %d can still be rebuilt here, from %s", n.Chain.Version, RebuiltFrom(&r.Chain)), asideAct(p, n, &r), nil
	}
	all, err := NewestForAll(ctx, p, n.Chain.Version)
	if err != nil {
		return "", "", err
	}
	here, err := n.newestRebuilt(ctx, p, n.Chain.Version-1)
	if err != nil {
		return "", "", err
	}
	evidence = ". No version can be rebuilt here"
	if here > 0 {
		evidence = fmt.Sprintf(". Newest version this store can load: %d", here)
	}
	if all > 0 {
		return evidence + fmt.Sprintf("; all stores: %d (written by batch %d)", all, all-1), backAct(all - 1), nil
	}
	return evidence + "; no version exists in all stores", "", nil
}

// asideAct is to set whole files aside that are no good: the version is rebuilt without them.
func asideAct(p *checks.Pass, n *Need, r *Rebuild) string {
	names := make([]string, len(r.Aside))
	itself := true
	for i, f := range r.Aside {
		names[i] = n.Path(f.Name())
		c := n.Contents(p, f)
		itself = itself && (f.Size == 0 || c != nil && !c.Loads())
	}
	act := basics.CopyFirst + fmt.Sprintf("Then set %s aside: Spark rebuilds version %d from %s, re-runs no batch, and loses no row.", phrase.List(names, 3), r.Chain.Version, RebuiltFrom(&r.Chain))
	if itself {
		act += " Spark 4.2 and later do this themselves."
	}
	return act
}

// backAct is to look for the files, and else to roll back to a batch.
func backAct(batch int64) string {
	return fmt.Sprintf(`Look for the original file in object versions, the trash or a backup. `+basics.CopyFirst+`Found: put it
back, then restart. Not found: roll back to batch %d. The sources must still have the later batches, and the sink must accept them twice.`, batch)
}
