// Package iceberg reads the metadata file of an Iceberg table: its snapshots and what they say of streaming
// queries. It reads no manifest and no data.
package iceberg
