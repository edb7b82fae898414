// Package decode is what every decoder stands on: places in a checkpoint, the error for bytes that
// are not what their format says, JSON that knows where each of its values stands, and a cursor that
// cannot overrun.
package decode
