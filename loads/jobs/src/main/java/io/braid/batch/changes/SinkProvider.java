package io.braid.batch.changes;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/** Opens the sinks of one kind of address. Found by {@link ServiceLoader}. */
public interface SinkProvider {
  /** Whether an address is of its kind. */
  boolean knows(URI target);

  /**
   * Opens a sink.
   *
   * @param positions the file that keeps the position; made when it is not there
   * @throws IllegalArgumentException when something is wrong with the address
   */
  FeedSink open(URI target, Path positions) throws IOException;

  /** What is on the class path for an address. */
  static Optional<SinkProvider> of(URI target) {
    return ServiceLoader.load(SinkProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.knows(target))
        .findFirst();
  }
}
