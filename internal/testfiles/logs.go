package testfiles

import "fmt"

// Plan returns a plan of offsets: one topic with one partition, which ends at n; n is when it was made, too.
func Plan(n int) string {
	return fmt.Sprintf("v1\n{\"batchTimestampMs\":%d}\n{\"t\":{\"0\":%d}}", n, n)
}

// ConfPlan returns a plan with these settings: `"spark.sql.shuffle.partitions":"5"`.
func ConfPlan(conf string) string {
	return "v1\n" + `{"batchWatermarkMs":0,"batchTimestampMs":1700000000000,"conf":{` + conf + "}}\n" + `{"orders":{"0":5}}`
}

// Logs returns the query id, and the plans and commits of batches 0 to last, all with these settings.
func Logs(last int, conf string) map[string]string {
	files := map[string]string{"metadata": `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`}
	for n := range last + 1 {
		files[fmt.Sprintf("offsets/%d", n)] = ConfPlan(conf)
		files[fmt.Sprintf("commits/%d", n)] = "v1\n" + `{"nextBatchWatermarkMs":0}`
	}
	return files
}
