package io.braid.core.transaction;

import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * An open scan, in the order of the keys, for one thread at a time. The next rows are fetched as it
 * goes, so {@code hasNext} and {@code next} throw what reads of a {@link Snapshot} throw, and
 * {@link IllegalStateException} once it or its snapshot is closed. Whoever opened it closes it.
 */
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
