// Package restart predicts what Spark does at the next start: one ordered list of rules, each a step of a start in Spark's
// order (Predict), and where a new query begins that leaves this checkpoint (Migrate). Each rule names the class of
// Spark whose behavior it follows.
package restart
