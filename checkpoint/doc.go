// Package checkpoint is what the bytes of a Structured Streaming checkpoint mean, and no opinion
// about them: which batches were planned and committed, up to where each source was read, which
// state stores there are.
package checkpoint
