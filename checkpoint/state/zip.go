package state

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"

	"tidemark/checkpoint/decode"
)

// ZipFile is a snapshot of a RocksDB state store, "7.zip" or "7_<id>.zip": the small files of the database,
// and the names of its tables, which lie beside it in SSTs/ and serve many versions. Its members:
//
//	MANIFEST-000005   RocksDB's own log of its files
//	CURRENT           name of the MANIFEST
//	000004.log        write-ahead log, empty; from 4.0 on
//	OPTIONS-000007    the options of the database, as text
//	metadata          "v1", line feed, and one JSON object:
//
//	{"sstFiles":[{"localFileName":"000015.sst","dfsSstFileName":"000015-e2a452b1-6027-4fbe-af25-d290f2419397.sst",
//	 "sizeBytes":1287}],"numKeys":10,"numInternalKeys":8,"columnFamilyMapping":{"default":1,"left-keyToNumValues":2},
//	 "columnFamilyTypeMap":{"default":false,"left-keyToNumValues":true},"maxColumnFamilyId":2}
//
// numInternalKeys and what concerns column families came with 4.0, the latter only where an operator uses
// them; logFiles is as sstFiles, with dfsLogFileName, and lie in logs/.
//
// Written by RocksDBFileManager.saveCheckpointToDfs and RocksDBCheckpointMetadata.
type ZipFile struct {
	File            string
	SSTs, Logs      []SST           // as written; the order says nothing
	NumKeys         int64           // live keys, internal column families aside; -1 where Spark did not count
	NumInternalKeys int64           // live keys of internal column families; 0 before 4.0
	Families        map[string]int  // virtual column family → the number its keys begin with; empty where none are used
	Internal        map[string]bool // the column families that Spark keeps for itself
	MergeOperator   int             // how elements of a list are joined: 1 comma, 2 nothing; 0 unknown or never merged
	ManifestName    string          // the member that CURRENT names: "MANIFEST-000005"
	Manifest        []byte          // its bytes; nil where it is longer than is kept

	// Problems is what else is wrong: members that do not unpack, that lack, or that say what cannot be.
	// What is said above still stands in the bytes.
	Problems []*decode.Error
}

// SST is a file of RocksDB that a snapshot names.
type SST struct {
	Local string // name within the database: "000015.sst"
	Name  string // base name in SSTs/ or logs/: "000015-<uuid>.sst"
	Size  int64  // bytes
}

const (
	metadataLimit = 8 << 20 // bytes of the metadata of a zip: some 50 000 tables
	optionsLimit  = 1 << 20 // bytes of its OPTIONS
	currentLimit  = 1 << 10 // bytes of its CURRENT
	manifestLimit = 4 << 20 // bytes of its MANIFEST; a longer one is passed over: some 20 000 changes of files by one session
	zipFiles      = 100_000 // members of a zip whose directory is read

	zipWhat      = "RocksDB snapshot"
	metadataWhat = "metadata of a RocksDB snapshot"
)

// OpenZip reads all of a snapshot of size bytes, front to back as Spark does, so that everything in it is
// verified. Where that stops at a damage, the metadata are looked for through the directory at the end.
//
// Without metadata that can be read, the error says why, and the ZipFile holds what was read. An error that is
// not a *decode.Error is r's own.
func OpenZip(file string, r io.ReaderAt, size int64) (*ZipFile, error) {
	z := &ZipFile{File: file, NumKeys: -1}
	if size == 0 {
		return z, z.error(file, decode.Empty, errors.New("the file is empty"))
	}
	m := &zipMembers{seen: map[string]int64{}}
	in := bufio.NewReaderSize(io.NewSectionReader(r, 0, size), int(min(size, 256<<10)))
	stream := &zipStream{file: file, in: &countingReader{r: in}, left: zipLimit, also: m.keep}
	err := stream.drain(m)
	damage, bad := errors.AsType[*decode.Error](err)
	if err != nil && !bad {
		return z, err
	}
	if bad {
		z.Problems = append(z.Problems, damage)
		m.broken()
		m.directory(r, size)
	}
	if m.metadata.Len() == 0 {
		if !bad {
			damage = z.error(file, decode.Value, fmt.Errorf("the metadata is missing among its %d members", len(m.seen)))
		}
		return z, damage
	}
	z.missing(m, bad)
	z.MergeOperator = mergeOperator(m.options.String())
	if !bad && m.manifestName != "" && strings.TrimSuffix(m.current.String(), "\n") == m.manifestName && !m.manifest.over {
		z.ManifestName, z.Manifest = m.manifestName, m.manifest.Bytes()
	}
	return z, z.parse(m.metadata.Bytes())
}

// error is what is wrong with a member of the archive as a whole.
func (z *ZipFile) error(file string, flaw decode.Flaw, err error) *decode.Error {
	return &decode.Error{Where: decode.Where{File: file}, Flaw: flaw, What: zipWhat, Err: err}
}

// zipMembers is what OpenZip keeps of the members.
type zipMembers struct {
	seen                       map[string]int64 // name → bytes
	metadata, options, current bounded
	manifest                   bounded
	manifestName               string
	now                        *bounded // what the member being read goes to
}

// bounded is a buffer that takes no more than its limit, and then says so.
type bounded struct {
	bytes.Buffer
	limit int
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.over = b.over || b.Len()+len(p) > b.limit; !b.over {
		b.Buffer.Write(p)
	}
	return len(p), nil
}

// keep is where the bytes of a member go.
func (m *zipMembers) keep(name string) io.Writer {
	m.now = nil
	switch {
	case name == "metadata":
		m.now = &m.metadata
		m.now.limit = metadataLimit
	case strings.HasPrefix(name, "OPTIONS-"):
		m.now = &m.options
		m.now.limit = optionsLimit
	case name == "CURRENT":
		m.now = &m.current
		m.now.limit = currentLimit
	case strings.HasPrefix(name, "MANIFEST-"):
		m.manifestName, m.manifest = name, bounded{limit: manifestLimit}
		return &m.manifest
	default:
		return io.Discard
	}
	m.now.Reset()
	return m.now
}

// broken forgets the member that did not unpack to its end.
func (m *zipMembers) broken() {
	if m.now != nil {
		m.now.Reset()
	}
}

// drain reads all members.
func (z *zipStream) drain(m *zipMembers) error {
	for {
		member, ok, err := z.next()
		if err != nil || !ok {
			return err
		}
		m.seen[member.Name] = member.Size
		if m.now != nil && m.now.over {
			return z.flaw(decode.TooLarge, member.At, "member %.60q has %d bytes, too many to read", member.Name, member.Size)
		}
		m.now = nil
	}
}

// directory reads what is still wanted through the directory at the end of the zip, as far as it can.
func (m *zipMembers) directory(r io.ReaderAt, size int64) {
	// archive/zip makes room for all members that the size can hold; no snapshot is so large.
	if size > zipFiles*1<<10 {
		return
	}
	dir, err := zip.NewReader(r, size)
	if err != nil || len(dir.File) > zipFiles {
		return
	}
	for _, f := range dir.File {
		if _, done := m.seen[f.Name]; done {
			continue
		}
		m.seen[f.Name] = int64(min(f.UncompressedSize64, math.MaxInt64))
		if w := m.keep(f.Name); m.now == nil || f.UncompressedSize64 > uint64(m.now.limit) || unzip(w, f) != nil {
			m.broken()
		}
	}
}

func unzip(w io.Writer, f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return cmp.Or(err, r.Close())
}

// missing tells of members that RocksDB cannot do without. Where the zip is damaged, those behind the
// damage may be there and not seen.
func (z *ZipFile) missing(m *zipMembers, damaged bool) {
	manifest, options := "", false
	for name, size := range m.seen {
		if strings.HasPrefix(name, "MANIFEST-") {
			manifest = name
		}
		options = options || strings.HasPrefix(name, "OPTIONS-")
		// Spark 4.2 and later refuse to write such a member; older ones could leave it.
		if size == 0 && !strings.HasSuffix(name, ".log") {
			z.Problems = append(z.Problems, z.error(z.File+"!"+name, decode.Empty, errors.New("the member is empty")))
		}
	}
	if damaged {
		return
	}
	current := strings.TrimSuffix(m.current.String(), "\n")
	_, named := m.seen[current]
	switch _, ok := m.seen["CURRENT"]; {
	case !ok:
		z.lacks("CURRENT is missing among its members")
	case manifest == "":
		z.lacks("a MANIFEST is missing among its members")
	case current != "" && !named:
		z.lacks(fmt.Sprintf("CURRENT names %.60q, which is not a member", current))
	case !options:
		z.lacks("an OPTIONS file is missing among its members")
	}
}

func (z *ZipFile) lacks(what string) {
	z.Problems = append(z.Problems, z.error(z.File, decode.Value, errors.New(what)))
}

var mergeLine = regexp.MustCompile(`(?m)^\s*merge_operator=(.*)$`)

// mergeOperator reads how lists are joined from the text of OPTIONS:
//
//	merge_operator={id=StringAppendOperator;delimiter=,;}    with a comma: up to 4.1, or by conf
//	merge_operator=StringAppendOperator                      with nothing between: 4.2 on
//	merge_operator=nullptr                                   never: 3.x
func mergeOperator(options string) int {
	line := mergeLine.FindStringSubmatch(options)
	switch {
	case line == nil || !strings.Contains(line[1], "StringAppend"):
		return 0
	case strings.Contains(line[1], "delimiter=,"):
		return 1
	case !strings.Contains(line[1], "delimiter=") || strings.Contains(line[1], "delimiter=;"):
		return 2
	}
	return 0
}
