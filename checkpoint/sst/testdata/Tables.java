// Tables writes the tables in tables.tar.gz with RocksDB itself: forms that Spark's own goldens do not
// have. Each folder is a database of two tables with the same changes, and live.txt is what RocksDB's
// iterator then gave: key, tab, value, in hexadecimal. Made with rocksdbjni 10.0.1:
//
//	java -cp rocksdbjni-10.0.1-linux64.jar Tables.java OUT && tar -C OUT -czf tables.tar.gz .

import java.io.PrintWriter;
import java.nio.file.*;
import java.util.*;
import org.rocksdb.*;

public class Tables {
  static String hex(byte[] b) { return HexFormat.of().formatHex(b); }

  static byte[] key(int i) { return String.format("%c/key-%05d", i % 2 == 0 ? 'a' : 'b', i).getBytes(); }

  static byte[] value(int i) { return ("value of " + i + " " + "abc".repeat(i % 9)).getBytes(); }

  static void write(Path out, String name, CompressionType compression, BlockBasedTableConfig table) throws Exception {
    Path dir = out.resolve(name), db = Files.createTempDirectory("tables");
    Files.createDirectories(dir);
    table.setBlockSize(512);
    try (Options o = new Options().setCreateIfMissing(true).setTableFormatConfig(table).setCompressionType(compression)
             .setDisableAutoCompactions(true).setMergeOperator(new StringAppendOperator(','));
         RocksDB r = RocksDB.open(o, db.toString()); FlushOptions flush = new FlushOptions()) {
      for (int i = 0; i < 150; i++) r.put(key(i), value(i));
      for (int i = 0; i < 20; i++) r.merge("m/list".getBytes(), ("one-" + i).getBytes());
      r.put("n/empty".getBytes(), new byte[0]);
      r.put("n/large".getBytes(), "0123456789".repeat(300).getBytes());
      r.merge("n/merged-into".getBytes(), "x".getBytes());
      r.put("n/deleted".getBytes(), "gone".getBytes());
      r.flush(flush);
      for (int i = 0; i < 150; i += 7) r.delete(key(i));
      for (int i = 0; i < 150; i += 11) r.put(key(i), ("newer " + i).getBytes());
      r.merge("m/list".getBytes(), "two".getBytes());
      r.put("m/made".getBytes(), "base".getBytes());
      r.merge("m/made".getBytes(), "more".getBytes());
      r.delete("n/merged-into".getBytes());
      r.merge("n/merged-into".getBytes(), "y".getBytes());
      r.singleDelete("n/deleted".getBytes());
      if (name.contains("range")) {
        r.deleteRange(key(20), key(30));
        r.deleteRange(key(26), key(60));
        r.put(key(24), "after".getBytes());
        r.deleteRange("m/".getBytes(), "m/list\0".getBytes());
        r.merge("m/list".getBytes(), "alone".getBytes());
      }
      r.flush(flush);
      try (RocksIterator it = r.newIterator(); PrintWriter w = new PrintWriter(dir.resolve("live.txt").toFile())) {
        for (it.seekToFirst(); it.isValid(); it.next()) w.println(hex(it.key()) + "\t" + hex(it.value()));
      }
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(db, "*.sst")) {
      for (Path p : all) Files.copy(p, dir.resolve(p.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  static BlockBasedTableConfig form(int version, ChecksumType sum) {
    return new BlockBasedTableConfig().setFormatVersion(version).setChecksumType(sum);
  }

  public static void main(String[] args) throws Exception {
    RocksDB.loadLibrary();
    Path out = Path.of(args[0]);
    CompressionType lz4 = CompressionType.LZ4_COMPRESSION;
    ChecksumType crc = ChecksumType.kCRC32c, xxh3 = ChecksumType.kXXH3;
    for (ChecksumType sum : new ChecksumType[] {ChecksumType.kNoChecksum, crc, ChecksumType.kxxHash, ChecksumType.kxxHash64, xxh3}) {
      write(out, "sum-" + sum.name() + "-5", lz4, form(5, sum));
      write(out, "sum-" + sum.name() + "-6", lz4, form(6, sum));
    }
    for (int v = 2; v <= 4; v++) write(out, "format-" + v, lz4, form(v, crc));
    for (CompressionType c : new CompressionType[] {CompressionType.NO_COMPRESSION, CompressionType.SNAPPY_COMPRESSION,
             CompressionType.ZLIB_COMPRESSION, CompressionType.BZLIB2_COMPRESSION, CompressionType.LZ4HC_COMPRESSION, CompressionType.ZSTD_COMPRESSION})
      write(out, "packed-" + c.name().toLowerCase(), c, form(5, xxh3));
    for (int v : new int[] {2, 3, 5, 6}) {
      write(out, "index-two-levels-" + v, lz4, form(v, crc).setIndexType(IndexType.kTwoLevelIndexSearch).setMetadataBlockSize(128)
          .setFilterPolicy(new BloomFilter(10)).setPartitionFilters(true));
      write(out, "index-first-key-" + v, lz4, form(v, crc).setIndexType(IndexType.kBinarySearchWithFirstKey));
      write(out, "index-restarts-" + v, lz4, form(v, crc).setIndexBlockRestartInterval(8));
    }
    write(out, "data-hash-index", lz4, form(5, xxh3).setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash).setDataBlockHashTableUtilRatio(0.75));
    write(out, "filter-aligned", CompressionType.NO_COMPRESSION, form(5, xxh3).setFilterPolicy(new BloomFilter(10)).setBlockAlign(true));
    write(out, "range-deletions-5", lz4, form(5, xxh3));
    write(out, "range-deletions-6", CompressionType.ZSTD_COMPRESSION, form(6, xxh3));
  }
}
