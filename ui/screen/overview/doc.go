// Package overview is the first screen: what a restart does, the three questions, the worst findings, and where the query stands.
package overview
