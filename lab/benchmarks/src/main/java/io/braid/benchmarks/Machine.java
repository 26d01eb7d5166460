package io.braid.benchmarks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdb.RocksDB;

/** The machine that a benchmark ran on. Without it, the figures mean nothing. */
final class Machine {
  private Machine() {}

  /** Returns a line of JSON for the head of a file of figures. */
  static String line(boolean quick) throws JsonProcessingException {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("machine", System.getProperty("os.arch"));
    machine.put("system", System.getProperty("os.name"));
    machine.put("cores", Runtime.getRuntime().availableProcessors());
    machine.put("java", System.getProperty("java.version"));
    machine.put("rocksdb", rocksDb());
    machine.put("quick", quick);
    machine.put("begun", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return new ObjectMapper().writeValueAsString(machine);
  }

  private static String rocksDb() {
    RocksDB.loadLibrary();
    return RocksDB.rocksdbVersion().toString();
  }
}
