// Filters writes the tables in filters.tar.gz with RocksDB itself: every form of a filter, over keys of
// all lengths that its hash tells apart. Each file is one table, NAME.sst. Made with the rocksdbjni of
// Spark 4.3 (9.8.4):
//
//	java -cp rocksdbjni-9.8.4.jar Filters.java OUT && tar -C OUT -czf filters.tar.gz .

import java.nio.file.*;
import java.util.*;
import org.rocksdb.*;

public class Filters {
  // The bytes of keys differ from one to the next, so that each counts in a hash.
  static byte[] key(int length, int n) {
    byte[] b = new byte[length];
    for (int i = 0; i < length; i++) b[i] = (byte) (i < 2 ? n >> 8 * i : i * 37 + n * 11);
    return b;
  }

  interface Writer { void write(RocksDB db) throws Exception; }

  static void table(Path out, String name, BlockBasedTableConfig form, Options o, Writer writer) throws Exception {
    Path db = Files.createTempDirectory("filters");
    if (form != null) o.setTableFormatConfig(form);
    o.setCreateIfMissing(true).setCompressionType(CompressionType.NO_COMPRESSION).setDisableAutoCompactions(true);
    try (RocksDB r = RocksDB.open(o, db.toString()); FlushOptions flush = new FlushOptions()) {
      writer.write(r);
      r.flush(flush);
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(db, "*.sst")) {
      for (Path p : all) Files.copy(p, out.resolve(name + ".sst"));
    }
  }

  // Keys of 0 to 300 bytes, and of some lengths around where a long hash begins anew.
  static void lengths(RocksDB r) throws Exception {
    List<Integer> all = new ArrayList<>();
    for (int l = 0; l <= 300; l++) all.add(l);
    all.addAll(List.of(319, 320, 321, 1023, 1024, 1025, 1087, 1088, 1089, 2047, 2048, 2049, 2112));
    for (int l : all) for (int n = 0; n < (l > 300 ? 2 : 3); n++) r.put(key(l, n * 997 + l), new byte[0]);
    r.delete(key(40, 1)); // an entry of another type is in the filter, too
    r.merge(key(41, 1), new byte[1]);
  }

  static BlockBasedTableConfig form(int version, Filter filter) {
    return new BlockBasedTableConfig().setFormatVersion(version).setFilterPolicy(filter);
  }

  static Options options() { return new Options().setMergeOperator(new StringAppendOperator(',')); }

  public static void main(String[] args) throws Exception {
    RocksDB.loadLibrary();
    Path out = Path.of(args[0]);
    Files.createDirectories(out);
    for (int v : new int[] {2, 4, 5, 6}) table(out, "whole-" + v, form(v, new BloomFilter(10)), options(), Filters::lengths);
    for (int v : new int[] {4, 5, 6})
      table(out, "parts-" + v, form(v, new BloomFilter(10)).setPartitionFilters(true).setIndexType(IndexType.kTwoLevelIndexSearch)
          .setMetadataBlockSize(256), options(), Filters::lengths);
    for (int bits : new int[] {3, 20}) table(out, "bits-" + bits, form(5, new BloomFilter(bits)), options(), Filters::lengths);
    table(out, "silent-none", form(5, null), options(), Filters::lengths);
    table(out, "silent-prefixes", form(5, new BloomFilter(10)).setWholeKeyFiltering(false), options().useFixedLengthPrefixExtractor(2), Filters::lengths);
    Properties ribbon = new Properties();
    ribbon.setProperty("block_based_table_factory", "{format_version=5;filter_policy=ribbonfilter:10:-1;}");
    ribbon.setProperty("merge_operator", "stringappend");
    table(out, "silent-ribbon", null, new Options(new DBOptions(), ColumnFamilyOptions.getColumnFamilyOptionsFromProps(ribbon)), Filters::lengths);
    table(out, "prefixes-too", form(5, new BloomFilter(10)), options().useFixedLengthPrefixExtractor(2), Filters::lengths);
    for (int i = 0; i < 4; i++) {
      int first = i;
      table(out, "large-" + i, form(5, new BloomFilter(10)), options(), r -> {
        for (int n = first; n < 8000; n += 4) r.put(String.format("key-%06d", n).getBytes(), new byte[200]);
      });
    }
  }
}
