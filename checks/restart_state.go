package checks

// sources are the logs that the sources keep themselves, and the last batch that is asked of them again.
func sources(s *start) (Restart, bool) { return goOn() }

// stateStart is the state that the first batch loads.
func stateStart(s *start) (Restart, bool) { return goOn() }

// compresses reports whether state is read through the pinned codec: all of the HDFS-backed provider,
// and the changelogs of RocksDB.
func (s *start) compresses() bool { return s.stateful() }
