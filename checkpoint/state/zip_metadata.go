package state

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"tidemark/checkpoint/decode"
)

// parse reads the member "metadata": see ZipFile. What lacks or is of a wrong kind is the error; what else
// cannot be is a problem.
func (z *ZipFile) parse(data []byte) error {
	p := metadataParser{z: z, file: z.File + "!metadata"}
	line, rest, found := bytes.Cut(data, []byte("\n"))
	if string(line) != "v1" {
		flaw := decode.NoVersion
		if len(line) > 1 && line[0] == 'v' {
			flaw = decode.VersionUnknown
		}
		return p.fail(flaw, 1, 0, "line 1 is %.20q, not \"v1\"", line)
	}
	if !found {
		return p.fail(decode.Cut, 1, len(line), "nothing follows the version")
	}
	v, err := decode.ParseJSON(rest)
	if e, ok := errors.AsType[*decode.Error](err); ok {
		return p.fail(e.Flaw, 2, int(e.Offset), "%w", e.Err)
	}
	if v.Kind != decode.Object {
		return p.fail(decode.Malformed, 2, v.At, "it is not a JSON object")
	}
	if z.SSTs, err = p.files(v, "sstFiles", "dfsSstFileName"); err != nil {
		return err
	}
	if z.Logs, err = p.files(v, "logFiles", "dfsLogFileName"); err != nil {
		return err
	}
	if n, ok := v.Get("numKeys"); ok {
		z.NumKeys = p.number(n, "numKeys", -1, math.MaxInt64)
	}
	if n, ok := v.Get("numInternalKeys"); ok {
		z.NumInternalKeys = p.number(n, "numInternalKeys", -1, math.MaxInt64)
	}
	if m, ok := v.Get("columnFamilyMapping"); ok && m.Kind == decode.Object {
		z.Families = map[string]int{}
		for _, f := range m.Fields {
			z.Families[f.Name] = int(p.number(f.Value, "columnFamilyMapping", 0, math.MaxInt16))
		}
	}
	if m, ok := v.Get("columnFamilyTypeMap"); ok && m.Kind == decode.Object {
		z.Internal = map[string]bool{}
		for _, f := range m.Fields {
			z.Internal[f.Name] = f.Value.Text == "true"
		}
	}
	return nil
}

type metadataParser struct {
	z    *ZipFile
	file string
}

func (p metadataParser) fail(flaw decode.Flaw, line, at int, format string, args ...any) *decode.Error {
	where := decode.Where{File: p.file, Line: line, Offset: int64(at)}
	return &decode.Error{Where: where, Flaw: flaw, What: metadataWhat, Err: fmt.Errorf(format, args...)}
}

// files reads a list of files; one that is not there has none.
func (p metadataParser) files(v decode.JSON, list, name string) ([]SST, error) {
	all, ok := v.Get(list)
	if !ok && list == "sstFiles" {
		return nil, p.fail(decode.Malformed, 2, v.At, "sstFiles is missing")
	}
	if all.Kind != decode.Array && ok && all.Kind != decode.Null {
		return nil, p.fail(decode.Malformed, 2, all.At, "%s is not a list", list)
	}
	var files []SST
	for _, item := range all.Items {
		local, _ := item.Get("localFileName")
		dfs, _ := item.Get(name)
		size, ok := item.Get("sizeBytes")
		if local.Kind != decode.String || dfs.Kind != decode.String || !ok {
			return files, p.fail(decode.Malformed, 2, item.At, "an item of %s lacks localFileName, %s or sizeBytes", list, name)
		}
		if !baseName(dfs.Text) {
			p.problem(p.fail(decode.Value, 2, dfs.At, "%.80q is not a file name", dfs.Text))
			continue
		}
		files = append(files, SST{Local: local.Text, Name: dfs.Text, Size: p.number(size, "sizeBytes", 0, math.MaxInt64)})
	}
	return files, nil
}

// baseName reports whether a name stays in the folder it is looked for in.
func baseName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00")
}

// number is a number within its range; what is not is a problem, and -1.
func (p metadataParser) number(v decode.JSON, name string, from, to int64) int64 {
	n, ok := v.Int()
	if ok && n >= from && n <= to {
		return n
	}
	p.problem(p.fail(decode.Value, 2, v.At, "%s: %.40q is not a number from %d to %d", name, v.Text, from, to))
	return -1
}

func (p metadataParser) problem(e *decode.Error) { p.z.Problems = append(p.z.Problems, e) }
