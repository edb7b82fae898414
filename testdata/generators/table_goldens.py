#!/usr/bin/env python3
"""Small tables as Delta and Iceberg write them, with the checkpoints of the queries that wrote them.

    table_goldens.py --jars JARS --out DIR [NAME…]

JARS: a folder with delta-spark_2.13, delta-storage and antlr4-runtime (4.0.0, 4.0.0, 4.13.1) and
iceberg-spark-runtime-4.0_2.13 (1.10.0), for PySpark 4.0. Every table comes out as DIR/NAME.tar.gz: checkpoint/
(more than one: checkpoint-b/), and of the table its log or metadata without data files.
"""
import argparse, gzip, io, json, os, shutil, sys, tarfile, tempfile


def pack(folder, name, out):
    buf = io.BytesIO()
    with tarfile.open(fileobj=buf, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for root, dirs, files in os.walk(folder):
            dirs.sort()
            for f in sorted(files):
                path = os.path.join(root, f)
                rel = os.path.relpath(path, folder)
                data_file = "/_delta_log/" not in "/" + rel and "/metadata/" not in "/" + rel and f.endswith((".parquet", ".json"))
                if f.endswith(".crc") and f.startswith(".") or data_file or f.endswith(".avro") or rel.startswith("in"):
                    continue
                info = tarfile.TarInfo(rel)
                data = open(path, "rb").read()
                info.size, info.mode, info.mtime = len(data), 0o644, 0
                tar.addfile(info, io.BytesIO(data))
    with open(os.path.join(out, name + ".tar.gz"), "wb") as f:
        f.write(gzip.compress(buf.getvalue(), 9, mtime=0))
    print(name, os.path.getsize(os.path.join(out, name + ".tar.gz")), "bytes", flush=True)


class Lab:
    def __init__(self, spark, root):
        self.spark, self.root = spark, root

    def feed(self, first, last):
        os.makedirs(self.root + "/in", exist_ok=True)
        for i in range(first, last):
            with open("%s/in/%03d.json" % (self.root, i), "w") as f:
                f.write(json.dumps({"id": i, "name": "r%d" % i}) + "\n")

    def stream(self):
        return self.spark.readStream.schema("id long, name string").option("maxFilesPerTrigger", 1).json(self.root + "/in")

    def run(self, writer, checkpoint="checkpoint"):
        q = writer.option("checkpointLocation", self.root + "/" + checkpoint).trigger(availableNow=True)
        q = q.start(self.root + "/sink") if not getattr(self, "table", None) else q.toTable(self.table)
        q.awaitTermination()

    def delta(self, checkpoint="checkpoint"):
        self.run(self.stream().writeStream.format("delta").outputMode("append"), checkpoint)

    def create(self, **properties):
        props = ", ".join("'%s'='%s'" % (k.replace("__", "."), v) for k, v in properties.items())
        self.spark.sql("create table delta.`%s/sink` (id long, name string) using delta%s" % (self.root, " tblproperties (%s)" % props if props else ""))


def two_queries(lab):
    """Two queries write to one table; classic checkpoints. The first query stood still while the second went on past a checkpoint."""
    lab.create(delta__checkpointInterval=3)
    lab.feed(0, 2)
    lab.delta()
    lab.feed(2, 7)
    lab.delta("checkpoint-b")


def multi_part(lab):
    """The same, and the checkpoint is in parts."""
    lab.spark.conf.set("spark.databricks.delta.checkpoint.partSize", "3")
    two_queries(lab)
    lab.spark.conf.unset("spark.databricks.delta.checkpoint.partSize")


def v2(lab, form):
    lab.spark.conf.set("spark.databricks.delta.checkpointV2.topLevelFileFormat", form)
    lab.create(delta__checkpointInterval=3, delta__checkpointPolicy="v2")
    lab.feed(0, 2)
    lab.delta()
    lab.feed(2, 7)
    lab.delta("checkpoint-b")


def v2_json(lab):
    """A checkpoint of format V2 in JSON."""
    v2(lab, "json")


def v2_parquet(lab):
    """A checkpoint of format V2 in Parquet."""
    v2(lab, "parquet")


def restore(lab):
    """The table was set back over the last batch."""
    lab.create()
    lab.feed(0, 4)
    lab.delta()
    lab.spark.sql("restore table delta.`%s/sink` to version as of 2" % lab.root)


def restore_time(lab):
    """The table was set back to a time, over the last two batches."""
    lab.create()
    lab.feed(0, 4)
    lab.delta()
    when = lab.spark.sql("describe history delta.`%s/sink`" % lab.root).where("version = 2").select("timestamp").head()[0]
    lab.spark.sql("restore table delta.`%s/sink` to timestamp as of '%s'" % (lab.root, when))


def txn_app_id(lab):
    """foreachBatch with txnAppId and txnVersion."""
    lab.create()
    lab.feed(0, 3)
    target = lab.root + "/sink"
    write = lambda df, batch: df.write.format("delta").mode("append").option("txnAppId", "orders-by-shop").option("txnVersion", batch).save(target)
    q = lab.stream().writeStream.foreachBatch(write).option("checkpointLocation", lab.root + "/checkpoint").trigger(availableNow=True).start()
    q.awaitTermination()


def optimized(lab):
    """OPTIMIZE and a batch write came after the newest batch."""
    lab.create()
    lab.feed(0, 3)
    lab.delta()
    lab.spark.sql("optimize delta.`%s/sink`" % lab.root)
    lab.spark.sql("insert into delta.`%s/sink` values (99, 'by hand')" % lab.root)


def iceberg(lab):
    """Four batches into a path table; then a batch write, which carries no id."""
    lab.table = "ice.db.sink"
    lab.spark.catalog.clearCache()
    lab.spark.sql("refresh table ice.db.sink") if lab.spark.catalog.tableExists("ice.db.sink") else None
    lab.spark.sql("drop table if exists ice.db.sink")
    lab.spark.sql("create table ice.db.sink (id long, name string) using iceberg")
    lab.feed(0, 4)
    lab.run(lab.stream().writeStream.format("iceberg").outputMode("append"))
    lab.spark.sql("insert into ice.db.sink values (99, 'by hand')")


def iceberg_rollback(lab):
    """The table was rolled back to the snapshot of batch 1 after batch 3."""
    lab.table = "ice.db.sink"
    lab.spark.catalog.clearCache()
    lab.spark.sql("refresh table ice.db.sink") if lab.spark.catalog.tableExists("ice.db.sink") else None
    lab.spark.sql("drop table if exists ice.db.sink")
    lab.spark.sql("create table ice.db.sink (id long, name string) using iceberg")
    lab.feed(0, 4)
    lab.run(lab.stream().writeStream.format("iceberg").outputMode("append"))
    second = lab.spark.sql("select snapshot_id from ice.db.sink.snapshots order by committed_at").collect()[1][0]
    lab.spark.sql("call ice.system.rollback_to_snapshot('db.sink', %d)" % second)


ALL = [two_queries, multi_part, v2_json, v2_parquet, restore, restore_time, txn_app_id, optimized, iceberg, iceberg_rollback]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--jars", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    from pyspark.sql import SparkSession
    os.makedirs(a.out, exist_ok=True)
    work = tempfile.mkdtemp(prefix="tables-")
    b = (SparkSession.builder.master("local[1]").config("spark.jars", ",".join(os.path.join(os.path.abspath(a.jars), j) for j in os.listdir(a.jars) if j.endswith(".jar")))
         .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension,org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
         .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
         .config("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog").config("spark.sql.catalog.ice.type", "hadoop")
         .config("spark.sql.catalog.ice.warehouse", work + "/warehouse").config("spark.sql.shuffle.partitions", "1").config("spark.ui.enabled", "false")
         .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").config("spark.databricks.delta.snapshotPartitions", "1"))
    spark = b.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for scenario in ALL:
        name = scenario.__name__.replace("_", "-")
        if a.names and name not in a.names:
            continue
        root = os.path.join(work, name)
        os.makedirs(root)
        try:
            scenario(Lab(spark, root))
        except Exception as e:
            print(name, "failed:", str(e)[:400], flush=True)
            continue
        if os.path.isdir(work + "/warehouse/db/sink"):
            shutil.move(work + "/warehouse/db/sink", root + "/sink")
            shutil.rmtree(work + "/warehouse/db")
        with open(root + "/README", "w") as f:
            f.write("Spark %s: %s\n" % (spark.version, scenario.__doc__))
        pack(root, name, a.out)
    spark.stop()
    shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
