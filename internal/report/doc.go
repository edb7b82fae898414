// Package report writes what is known: pages as text for a person, and JSON, CSV and Parquet for programs. It decides
// nothing and words nothing: package page has the sentences. The names in the JSON are a promise.
package report
