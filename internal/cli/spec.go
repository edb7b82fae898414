package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"tidemark/internal/checks/drift"
	"tidemark/internal/report"
	"tidemark/internal/spec"
)

func specCommand(a *app) *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "spec LOCATION",
		Short: "Write a spec of the query from its checkpoint",
		Long: long(`
Writes a spec: what the code of a query declares, as far as this checkpoint records
it, with the place of each value. Keep it next to the code, and add what a checkpoint
does not record. With --spec, tidemark then shows how code and checkpoint differ, and
what Spark does about it.

To get the spec of a new release of the code, run it once with an empty test
checkpoint. Then write the spec of that checkpoint.`),
		Example: `tidemark spec /mnt/checkpoints/orders > orders.spec.yaml
tidemark check /mnt/checkpoints/orders --spec orders.spec.yaml
tidemark check /mnt/checkpoints/orders --spec /tmp/test/checkpoint
tidemark spec --schema > spec.schema.json`,
		Annotations: exits(exitsOfReading),
		Args: func(cmd *cobra.Command, given []string) error {
			if schema {
				return args(0, 0)(cmd, given)
			}
			return args(1, 1)(cmd, given)
		},
		RunE: a.run(func(ctx context.Context, _ *cobra.Command, args []string) error {
			if schema {
				return report.WriteJSON(a.Out, spec.Schema(), "  ")
			}
			return a.writeSpec(ctx, args[0])
		}),
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of a spec instead")
	return cmd
}

// writeSpec writes the spec of a checkpoint.
func (a *app) writeSpec(ctx context.Context, location string) error {
	cp, err := a.openCheckpoint(ctx, location)
	if err != nil {
		return err
	}
	r, err := drift.RecordOf(ctx, cp, a.Now())
	if err != nil {
		return err
	}
	r.Notes[""] = fmt.Sprintf(`What this checkpoint records of its query: %s
Written by tidemark spec. Every key is optional. Absent keys are not compared.
  tidemark check LOCATION --spec FILE   compares a checkpoint with it`, cp.Location)
	if err := spec.Write(a.Out, r.Spec, r.Notes); err != nil {
		return err
	}
	for _, u := range r.Open {
		a.problem("%s could not be read, so its values are left out: %v", u.Name, u.Err)
	}
	if len(r.Open) > 0 {
		return exit(report.Unread)
	}
	return nil
}
