package io.braid.core.transaction;

import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apiguardian.api.API;

/**
 * An open scan, in the order of the keys, for one thread at a time. The scan fetches the next rows
 * as it proceeds. So {@code hasNext} and {@code next} throw the exceptions of reads of a {@link
 * Snapshot}, and {@link IllegalStateException} once the cursor or its snapshot is closed. The
 * caller that opened the cursor closes it.
 */
@API(status = API.Status.STABLE)
public interface RowCursor extends Iterator<RowValues>, AutoCloseable {
  @Override
  void close();

  /** The rest of the rows; closing the stream closes the cursor. */
  default Stream<RowValues> stream() {
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL),
            false)
        .onClose(this::close);
  }
}
