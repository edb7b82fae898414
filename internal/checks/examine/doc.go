// Package examine has the list of all checks (All) and runs them over one checkpoint (Examine): facts first, then the
// next start, then findings as they are found, and the three answers, the advice and the ways back at the end. A new check is
// a file in the package of what it looks at, and one line in All.
package examine
