# Makes three-tables.tar.gz, with PySpark 4.3.0: an aggregation whose one partition has 5.4 MB in three tables of
# RocksDB, not compressed, each with the 4,000 devices of one batch.
#
#     python three_tables.py DIR && tar -C DIR -czf three-tables.tar.gz .
import sys, time
from pyspark.sql import SparkSession, functions as F
out = sys.argv[1]
s = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "1")
     .config("spark.sql.session.timeZone", "UTC")
     .config("spark.sql.streaming.stateStore.providerClass", "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
     .config("spark.sql.streaming.stateStore.rocksdb.compression", "no").getOrCreate())
rows = s.readStream.format("rate-micro-batch").option("rowsPerBatch", 4000).option("startTimestamp", 1700000000000).load()
keyed = rows.select(F.concat(F.lit("device-"), F.lpad(F.col("value").cast("string"), 6, "0")).alias("device"), F.lit("x" * 400).alias("note"))
q = (keyed.groupBy("device").agg(F.count("*").alias("n"), F.max("note").alias("note")).writeStream.format("noop").outputMode("update")
     .option("checkpointLocation", out).trigger(processingTime="3 seconds").start())
while q.lastProgress is None or q.lastProgress["batchId"] < 2: time.sleep(0.1)
q.stop()
