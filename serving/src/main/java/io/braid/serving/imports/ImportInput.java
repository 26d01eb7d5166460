package io.braid.serving.imports;

import io.braid.serving.writable.ImportedTuple;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The tuples of an import, each key once. They are read once. */
public interface ImportInput {
  /** The same for the same tuples, and no others. */
  String fingerprint();

  long count();

  /** The next one; null: there are no more. */
  @Nullable ImportedTuple next() throws IOException;
}
