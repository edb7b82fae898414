package checks

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
)

// rebuild is how a version of a store is had again from the files that are there and good.
type rebuild struct {
	chain state.Chain
	aside []state.File // whole files that are no good and that a start would load: they have to be out of the way
}

// rebuild looks for a way to load a version of the store from the files that are there, with whole files that are no
// good set aside: Spark then takes an older one, and what each batch after it changed. It looks into the files that it
// comes to. ok is false where there is no such way.
func (n *storeNeed) rebuild(ctx context.Context, p *Pass, version int64) (r rebuild, ok bool, err error) {
	if n.store == nil {
		return r, false, nil
	}
	store, at := *n.store, *n
	at.store = &store
	for {
		at.rules = stateRules(p, &at, n.chain.Version)
		r.chain = state.ChainOf(store.Files, version, at.rules)
		if !r.chain.Whole() {
			return r, false, nil
		}
		if more := at.unread(p, &r.chain); len(more) > 0 {
			if err := look(ctx, p, more); err != nil {
				return r, false, err
			}
			continue
		}
		bad := slices.IndexFunc(r.chain.Files, func(f state.File) bool { return !at.good(p, f) })
		if bad < 0 {
			return r, true, nil
		}
		f := r.chain.Files[bad]
		if c := at.contents(p, f); !f.Role.Whole() || c != nil && len(c.Unread) > 0 {
			return r, false, nil
		}
		r.aside = append(r.aside, f)
		store.Files = slices.DeleteFunc(slices.Clone(store.Files), func(o state.File) bool { return o.Name() == f.Name() })
	}
}

// good reports whether nothing is known to be wrong with a file of the store, and all of what it names could be had.
func (n *storeNeed) good(p *Pass, f state.File) bool {
	c := n.contents(p, f)
	return f.Size > 0 && !contentsOf(p).wrong[n.path(f.Name())] && (c == nil || len(c.Flaws)+len(c.Unread) == 0)
}

// asideRules are the rules of a start that finds no whole file that is no good.
func (n *storeNeed) asideRules(p *Pass) state.Rules {
	rules := n.rules
	rules.Repairs = true
	rules.Broken = func(f state.File) bool { return !n.good(p, f) }
	return rules
}

// lookRounds is how often files are looked into because those before them were no good.
const lookRounds = 8

// lookAhead looks into the files of all stores from which the newest versions up to limit are rebuilt, many at once; what
// one store needs beyond that is looked into by rebuild.
func lookAhead(ctx context.Context, p *Pass, limit int64) error {
	if contentsOf(p).ahead[limit] {
		return nil
	}
	if contentsOf(p).ahead == nil {
		contentsOf(p).ahead = map[int64]bool{}
	}
	contentsOf(p).ahead[limit] = true
	for range lookRounds {
		var more []statestore.File
		for n := range stateNeeds(p) {
			rules := n.asideRules(p)
			c := state.ChainOf(n.files(), state.NewestLoading(n.files(), limit, rules), rules)
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
func (n *storeNeed) newestRebuilt(ctx context.Context, p *Pass, limit int64) (int64, error) {
	rules := n.asideRules(p)
	for limit > 0 {
		version := state.NewestLoading(n.files(), limit, rules)
		if version == 0 {
			return 0, nil
		}
		if _, ok, err := n.rebuild(ctx, p, version); ok || err != nil {
			return version, err
		}
		limit = version - 1
	}
	return 0, nil
}

// newestForAll is the newest version up to limit that every store of the next start can be rebuilt at, whole files
// that are no good set aside; 0 where there is none.
func newestForAll(ctx context.Context, p *Pass, limit int64) (int64, error) {
	asked := limit
	if version, known := contentsOf(p).newest[asked]; known {
		return version, nil
	}
	if contentsOf(p).newest == nil {
		contentsOf(p).newest = map[int64]int64{}
	}
	if len(goneState(p)) > 0 {
		return 0, nil
	}
	for {
		if err := lookAhead(ctx, p, limit); err != nil {
			return 0, err
		}
		lowest := limit
		for n := range stateNeeds(p) {
			version, err := n.newestRebuilt(ctx, p, lowest)
			if err != nil {
				return 0, err
			}
			if lowest = min(lowest, version); lowest == 0 {
				break
			}
		}
		if lowest == limit || lowest == 0 {
			contentsOf(p).newest[asked] = lowest
			return lowest, nil
		}
		limit = lowest
	}
}

// stateAsides are the whole files of all stores that have to be out of the way for a version to load; ok is false
// where it cannot be rebuilt, and then because says of which store.
func stateAsides(ctx context.Context, p *Pass, version int64) (asides []stateAside, because string, err error) {
	if gone := goneState(p); version > 0 && len(gone) > 0 {
		return nil, gone[0].evidence, nil
	}
	if err := lookAhead(ctx, p, version); err != nil {
		return nil, "", err
	}
	for n := range stateNeeds(p) {
		r, ok, err := n.rebuild(ctx, p, version)
		switch {
		case err != nil:
			return nil, "", err
		case !ok:
			return nil, fmt.Sprintf("version %d cannot be rebuilt from the other files of %s", version, n.dir), nil
		case len(r.aside) > 0:
			asides = append(asides, stateAside{n, r})
		}
	}
	return asides, "", nil
}

// stateAside is a store that loads once files are set aside.
type stateAside struct {
	storeNeed
	rebuild
}

// files are the paths of what is set aside, the checksums beside each included.
func (a *stateAside) files() (names []string) {
	for _, f := range a.aside {
		names = append(names, withSums(a.dir, f)...)
	}
	return names
}

// withSums are the paths of a state file and of the checksum files beside it.
func withSums(dir string, f state.File) []string {
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

// rebuiltFrom is what a version is rebuilt from: "6.zip and 7.changelog … 12.changelog".
func rebuiltFrom(c *state.Chain) string {
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
		steps += " … " + files[len(files)-1].Name()
	}
	if text == "" {
		return steps
	}
	return text + " and " + steps
}

// wayBack says how a store that cannot be loaded is had again at the least cost, as evidence and as the act. It looks
// into the files of that way.
func wayBack(ctx context.Context, p *Pass, n *storeNeed) (evidence, act string, err error) {
	if err := lookAhead(ctx, p, n.chain.Version); err != nil {
		return "", "", err
	}
	r, ok, err := n.rebuild(ctx, p, n.chain.Version)
	if err != nil {
		return "", "", err
	}
	if ok && len(r.aside) > 0 {
		return fmt.Sprintf(". Version %d can still be rebuilt here, from %s", n.chain.Version, rebuiltFrom(&r.chain)), asideAct(p, n, &r), nil
	}
	all, err := newestForAll(ctx, p, n.chain.Version)
	if err != nil {
		return "", "", err
	}
	here, err := n.newestRebuilt(ctx, p, n.chain.Version-1)
	if err != nil {
		return "", "", err
	}
	evidence = ". No version can be rebuilt here"
	if here > 0 {
		evidence = fmt.Sprintf(". Newest version that can be rebuilt here: %d", here)
	}
	if all > 0 {
		return evidence + fmt.Sprintf("; of all stores together: %d (as batch %d left it)", all, all-1), backAct(all - 1), nil
	}
	return evidence + "; there is no version that all stores have", "", nil
}

// asideAct is to set whole files aside that are no good: the version is rebuilt without them.
func asideAct(p *Pass, n *storeNeed, r *rebuild) string {
	names := make([]string, len(r.aside))
	itself := true
	for i, f := range r.aside {
		names[i] = n.path(f.Name())
		c := n.contents(p, f)
		itself = itself && (f.Size == 0 || c != nil && !c.Loads())
	}
	act := copyFirst + fmt.Sprintf("Then move %s aside: Spark rebuilds version %d from %s, no batch runs again, and no row is lost.", listed3(names), r.chain.Version, rebuiltFrom(&r.chain))
	if itself {
		act += " Spark 4.2 and later do this by themselves."
	}
	return act
}

// backAct is to look for the files, and else to roll back to a batch.
func backAct(batch int64) string {
	return fmt.Sprintf(`Look for the file as it was in the versions of the bucket, the trash or a backup. `+copyFirst+`Found: put it back, then restart. Not found:
roll back to batch %d, if the sources still have what later batches read and the sink accepts those batches again.`, batch)
}
