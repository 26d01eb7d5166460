package io.braid.batch.snapshot;

import io.braid.batch.log.JobLog;
import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.store.CellStore;
import io.braid.core.store.Tablet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tablets by which a round cuts its snapshots: the tablets at the beginning of the round, for
 * every task and attempt. So equal keys always go into snapshots of one name. An import of these
 * together sees all of them, no matter which tablets have split or merged meanwhile.
 */
final class RoundTablets {
  private final JobLog<Cut> log;

  /** The tablets in the form of the file: keys as hexadecimal digits. */
  record Cut(List<Range> tablets) {}

  /**
   * @param end null after the last key
   */
  record Range(String start, @Nullable String end) {
    static Range of(KeyRange range) {
      Bytes end = range.end();
      return new Range(range.start().toHex(), end == null ? null : end.toHex());
    }

    KeyRange keys() {
      return new KeyRange(bytes(start), end == null ? null : bytes(end));
    }

    private static Bytes bytes(String hex) {
      return Bytes.wrap(HexFormat.of().parseHex(hex));
    }
  }

  /**
   * @param round the directory of the round
   */
  RoundTablets(Path round) {
    log = new JobLog<>(round.resolve("tablets.json"), Cut.class);
  }

  /**
   * Returns the tablets at the beginning of the round: the first caller asks the store for them.
   */
  List<KeyRange> of(CellStore store, String table) throws IOException {
    List<Cut> known = log.read();
    if (known.isEmpty()) {
      known =
          List.of(
              new Cut(store.tablets(table).stream().map(Tablet::range).map(Range::of).toList()));
      log.add(known.get(0));
    }
    return known.get(0).tablets.stream().map(Range::keys).toList();
  }
}
