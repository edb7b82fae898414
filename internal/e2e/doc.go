// Package e2e has the tests of the whole program: what people do with it in a terminal (stories), every archived
// checkpoint held against what is expected of it (score), the arrows between packages and the lists that things are
// added to, and benchmarks. They run in the root of the module.
package e2e
