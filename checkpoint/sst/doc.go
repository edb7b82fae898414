// Package sst reads the table files of RocksDB ("000019-<uuid>.sst"), in which Spark's RocksDB state
// stores keep their rows, without RocksDB and without ever reading a file whole.
//
// A file is blocks one behind the other, and a footer that says where the last two of them are. All
// fixed numbers are little-endian; a varint has seven bits a byte, the lowest first. This is a table of
// Spark 4.3 with five entries, 1436 bytes:
//
//	   0  data block: entries in ascending order of key, 4096 bytes before compression
//	 224  filter block: a Bloom filter of the keys; see filter.go
//	 298  index block: the handle of every data block
//	 362  properties: names and values about the file
//	1298  metaindex: names and handles of the blocks that the footer does not name
//	1383  footer, 53 bytes:
//
//	04                       checksum type: 0 none, 1 CRC32C, 2 xxHash32, 3 xxHash64, 4 XXH3
//	92 0a 50                 handle of the metaindex: varint offset 1298, varint size 80
//	aa 02 3b                 handle of the index: offset 298, size 59
//	00 …                     zeros up to byte 41
//	05 00 00 00              format version
//	f7 cf f4 85 b7 41 e2 88  magic
//
// In format version 6 the bytes after the checksum type are: 3e 00 7a 00, u32 checksum of the footer
// (with zeros in its own place), u32 base context, u32 size of the metaindex, which ends where the
// footer begins, 24 zeros. Every checksum of the file then has its offset mixed in (see modifier), and
// the handle of the index stands in the metaindex as "rocksdb.index".
//
// A handle (offset, size) covers the content of a block; 5 bytes follow it: u8 compression type, u32
// checksum over content and type. See block.go for what is inside, index.go for how blocks are found.
//
// Not read: format version 0 (before 2013) and 7, plain and cuckoo tables, compression dictionaries,
// comparators other than bytewise, blob files, timestamps. Spark sets none of them. Of filters only Bloom
// filters of whole keys are asked.
//
// Written by RocksDB's BlockBasedTableBuilder (table/format.cc, table/block_based/*.cc); Spark opens the
// database in org.apache.spark.sql.execution.streaming.state.RocksDB.
package sst
