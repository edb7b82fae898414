package stores

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/logs"
)

// smallFile is a small file that says how state is to be read: a schema, or the record of an operator.
type smallFile struct {
	name   string
	needed bool // by the next start
}

// smallFiles are those of all operators that were read.
func smallFiles(p *checks.Pass) (all []smallFile) {
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		if op.Metadata != nil {
			all = append(all, smallFile{op.Metadata.File, op.Metadata.Version > 1})
		}
		for _, s := range slices.Concat(op.Schemas, op.Current, op.Older) {
			all = append(all, smallFile{s.File, true})
		}
	}
	return all
}

// smallLimit is how many bytes of a small file are read.
const smallLimit = 16 << 20

// sumsBeside reports whether this checkpoint has checksums of Hadoop beside its files. Only folders of local file systems do: where the
// query
// id has none, nobody is asked for others.
func sumsBeside(p *checks.Pass) bool {
	if p.Root.Find(".metadata.crc") != nil {
		return true
	}
	last := p.Offsets.Find(p.Offsets.Last())
	return last != nil && p.Offsets.Other("."+last.Name+".crc") != nil
}

// smallChecksums compares the small files of state, and the logs of file sources, with the checksums of Hadoop beside them.
func smallChecksums(ctx context.Context, p *checks.Pass) error {
	if !sumsBeside(p) {
		return nil
	}
	files := smallFiles(p)
	for i := range p.Survey.Folders {
		f := &p.Survey.Folders[i]
		for _, file := range f.LogDir.Files {
			name := path.Join(f.Name, file.Name)
			read := slices.ContainsFunc(f.Files, func(s *checkpoint.SourceFile) bool { return s.Name == name })
			if e := f.Other("." + file.Name + ".crc"); e != nil && !e.Dir && file.Size <= smallLimit && (read || p.Deep) {
				files = append(files, smallFile{name, read})
			}
		}
	}
	for i := range p.Survey.State {
		if op := &p.Survey.State[i]; p.Deep && op.Metadata != nil {
			names, err := olderRecords(ctx, p, op)
			if err != nil {
				return err
			}
			for _, name := range names {
				files = append(files, smallFile{name, false})
			}
		}
	}
	for _, f := range files {
		e, err := sumBeside(ctx, p, f.name)
		if err != nil {
			return err
		}
		if e != nil {
			reportChecksum(p, -1, e, f.needed)
		}
	}
	return nil
}

// sumBeside compares one file with the checksum beside it: nil where they agree, or there is none.
func sumBeside(ctx context.Context, p *checks.Pass, file string) (*decode.Error, error) {
	side := path.Join(path.Dir(file), "."+path.Base(file)+".crc")
	var data [2][]byte
	for i, name := range []string{side, file} {
		var ok bool
		var err error
		if data[i], ok, err = logs.ReadNoted(ctx, p, name, smallLimit); !ok {
			return nil, err
		}
	}
	return log.VerifyHadoopCRC(file, data[1], side, data[0]), nil
}

// reportRecords tells of schemas and records that do not parse, of schema files that a record names and that are not there, and with --deep
// of the older ones beside them.
func reportRecords(ctx context.Context, p *checks.Pass) error {
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		for _, e := range op.Problems() {
			reportSmallFile(p, e)
		}
		for _, name := range LackingSchemas(p, op) {
			p.For(StateFileMissing).Report(checks.Finding{Severity: checks.Critical, Batch: -1, Where: decode.Where{File: name},
				Evidence: fmt.Sprintf("%s names %s, which is missing", op.Metadata.File, path.Base(name)),
				Title:    "a schema file named in operator metadata is missing",
				Meaning:  `The first batch after a restart reads every schema file this operator metadata names, and fails if one is missing. The state itself is not affected. Likely causes: a clean-up, an incomplete copy, or changed operator metadata.`,
				NextStep: `Look for the file in a backup, another copy of this checkpoint, or object versions. ` + basics.CopyFirst + `Put
it back.`,
				Avoid: `Do not put another schema file in its place: Spark would compare the query with the wrong columns.`})
		}
		if !p.Deep || op.Metadata == nil {
			continue
		}
		names, err := olderRecords(ctx, p, op)
		for _, name := range names {
			err = errors.Join(err, olderRecord(ctx, p, name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// LackingSchemas are schema files that the newest record of an operator names and that are not there.
func LackingSchemas(p *checks.Pass, op *statestore.Operator) []string {
	return slices.DeleteFunc(slices.Clone(op.Lacking), func(name string) bool {
		return slices.ContainsFunc(p.Survey.Unread, func(u checkpoint.Unread) bool { return u.Name == name })
	})
}

// olderRecords are the records and schema files of an operator that no start reads.
func olderRecords(ctx context.Context, p *checks.Pass, op *statestore.Operator) (names []string, err error) {
	read := map[string]bool{}
	for _, f := range smallFiles(p) {
		read[f.name] = true
	}
	for _, dir := range []string{path.Join(op.Dir, "_metadata", "v2"), path.Join(op.Dir, "_stateSchema", "default")} {
		l := p.Dir(ctx, dir)
		if l.Err != nil {
			p.Unread(checkpoint.Unread{Name: dir, List: true, Err: l.Err})
		}
		if checkpoint.Stopped(l.Err) {
			return names, l.Err
		}
		add := func(base string) {
			if name := path.Join(dir, base); !read[name] {
				names = append(names, name)
			}
		}
		for _, f := range l.Files {
			add(f.Name)
		}
		for _, e := range l.Others {
			if !e.Dir && e.Name[0] != '.' {
				add(e.Name)
			}
		}
	}
	return names, nil
}

// olderRecord reads one of them, and tells what does not parse.
func olderRecord(ctx context.Context, p *checks.Pass, name string) error {
	data, err := p.Read(ctx, name, smallLimit)
	if checkpoint.Stopped(err) {
		return err
	}
	if err != nil {
		p.Unread(checkpoint.Unread{Name: name, Err: err})
		return nil
	}
	problems := log.ParseOperatorMetadata(name, data).Problems
	if path.Base(path.Dir(name)) != "v2" {
		problems = state.ParseSchema(name, data).Problems
	}
	if e := basics.FirstProblem(problems); e != nil {
		p.Report(checks.Finding{Severity: checks.Medium, Batch: -1, Where: e.Where, Evidence: fmt.Sprintf("%s: %v", e.File, e.Err),
			Title: "older metadata of a stateful operator does not parse",
			Meaning: `A start reads the newest operator metadata and the schema files it names. This file is not among them. A
rollback would need it. So would a read of older state.`,
			NextStep: `Nothing to do before a restart. Find out what changed the file: a newer one may be affected next.`,
			Avoid:    `Do not delete the newer files next to it.`})
	}
	return nil
}
