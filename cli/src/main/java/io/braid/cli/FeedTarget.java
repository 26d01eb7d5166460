package io.braid.cli;

import io.braid.Braid;
import io.braid.batch.changes.FeedSink;
import io.braid.batch.changes.FileSink;
import io.braid.batch.changes.HttpSink;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** Where a feed goes, as it is typed: a file, or the address of a server. */
final class FeedTarget {
  private FeedTarget() {}

  /**
   * @param positions keeps the position of a server
   */
  static FeedSink open(String target, Path positions, Braid db) throws IOException {
    return target.startsWith("http://") || target.startsWith("https://")
        ? new HttpSink(URI.create(target), positions, db.loads().seams())
        : new FileSink(Path.of(target));
  }
}
