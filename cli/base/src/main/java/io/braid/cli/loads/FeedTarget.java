package io.braid.cli.loads;

import io.braid.Braid;
import io.braid.changes.feed.FeedSink;
import io.braid.changes.feed.FileSink;
import io.braid.changes.feed.HttpSink;
import io.braid.changes.feed.SinkProvider;
import io.braid.cli.command.UsageException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** Where a feed goes, as it is typed: a file, or the address of a server or a topic. */
final class FeedTarget {
  private FeedTarget() {}

  /**
   * @param positions keeps the position of a target that is not a file
   */
  static FeedSink open(String target, Path positions, Braid db) throws IOException {
    if (!target.matches("[A-Za-z][A-Za-z0-9+.-]*://.*")) {
      return new FileSink(Path.of(target));
    }
    URI address;
    try {
      address = URI.create(target);
    } catch (IllegalArgumentException e) {
      throw new UsageException("'" + target + "' is no address: " + e.getMessage() + ".");
    }
    if (address.getScheme().matches("https?")) {
      return new HttpSink(address, positions, db.loads().seams());
    }
    SinkProvider provider =
        SinkProvider.of(address)
            .orElseThrow(
                () ->
                    new UsageException(
                        "Nothing here brings a feed to '"
                            + target
                            + "': name a file, or an address http://, https:// or kafka://."));
    try {
      return provider.open(address, positions);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
