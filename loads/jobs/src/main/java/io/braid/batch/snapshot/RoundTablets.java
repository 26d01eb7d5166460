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
 * The tablets by which a round cuts its snapshots: those of the time when it began, for every task
 * and attempt. So equal keys always come into snapshots of one name, and whoever imports these
 * together sees all of them, whatever has split or merged meanwhile.
 */
final class RoundTablets {
  private final JobLog<Cut> log;

  /** The tablets as they stand in the file: keys as hexadecimal digits. */
  record Cut(List<Range> tablets) {}

  /**
   * @param end null behind the last key
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

  /** Those that the round began with: asked of the store by whoever comes first. */
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
