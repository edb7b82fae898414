// Package row turns the bytes of state store keys and values into values, and back: Spark's types,
// UnsafeRow, the key encoders and lists of the RocksDB provider, Avro, and the hash that says which
// partition a key belongs to. All of it is functions from bytes to values.
package row
