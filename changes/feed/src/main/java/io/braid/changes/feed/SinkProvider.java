package io.braid.changes.feed;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apiguardian.api.API;

/** Opens the sinks of one kind of address. Found by {@link ServiceLoader}. */
@API(status = API.Status.EXPERIMENTAL)
public interface SinkProvider {
  /** Returns whether an address is of its kind. */
  boolean knows(URI target);

  /**
   * Opens a sink.
   *
   * @param positions the file that keeps the position; created if it is missing
   * @throws IllegalArgumentException when something is wrong with the address
   */
  FeedSink open(URI target, Path positions) throws IOException;

  /** Returns the provider on the class path that knows an address. */
  static Optional<SinkProvider> of(URI target) {
    return ServiceLoader.load(SinkProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.knows(target))
        .findFirst();
  }
}
