package io.braid.serving.build;

import io.braid.core.data.Bytes;

/** A tuple that is larger than the memory of the sort. */
final class SingleEntry implements Entries {
  private final long hash;
  private final Bytes key;
  private final Bytes value;
  private boolean begun;

  SingleEntry(long hash, Bytes key, Bytes value) {
    this.hash = hash;
    this.key = key;
    this.value = value;
  }

  @Override
  public boolean next() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  @Override
  public long hash() {
    return hash;
  }

  @Override
  public Bytes key() {
    return key;
  }

  @Override
  public Bytes value() {
    return value;
  }

  @Override
  public void close() {}
}
