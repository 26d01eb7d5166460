package io.braid.serving.build;

import io.braid.core.data.Bytes;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.KeyHash;
import io.braid.serving.imports.ImportInput;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.TupleLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Tuples in any order, brought into that of their hashes, each key once, before anything is done
 * with them. Takes bounded memory; the rest is in files, which go when it is closed.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class SortedTuples implements ImportInput, AutoCloseable {
  private static final int MEMORY = 64 << 20;

  private final Path scratch;
  private final Duplicates duplicates;
  private final ExternalSort sort;
  private final MessageDigest digest;
  private @Nullable Entries entries;
  private String fingerprint = "";
  private long count;

  /**
   * @param scratch a directory of its own
   */
  public SortedTuples(Path scratch, Duplicates duplicates) throws IOException {
    this.scratch = scratch;
    this.duplicates = duplicates;
    this.sort = new ExternalSort(scratch.resolve("runs"), MEMORY);
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }

  /** Refuses what a read-write store does not take. */
  public void add(Bytes key, Bytes value) throws IOException {
    TupleLimits.check(key, Optional.of(value));
    sort.add(KeyHash.XXH64.of(key.toArray()), key, value);
  }

  /**
   * All were added.
   *
   * @throws ServingException {@code DUPLICATE_KEY} when a key came twice and must not
   */
  public void finish() throws IOException {
    try (Entries all = new DistinctEntries(sort.sorted(), duplicates, Duplicates.LINES)) {
      RunFile sorted = RunFile.write(scratch.resolve("sorted"), new FingerprintedEntries(all));
      count = sorted.entries();
      entries = sorted.read();
    }
    fingerprint = HexFormat.of().formatHex(digest.digest());
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public @Nullable ImportedTuple next() throws IOException {
    Entries left = entries;
    if (left == null) {
      throw new IllegalStateException("These tuples are not finished.");
    }
    return left.next() ? new ImportedTuple(left.key(), left.value()) : null;
  }

  @Override
  public void close() throws IOException {
    if (entries != null) {
      entries.close();
    }
    sort.close();
  }

  /** Adds every entry that passes through to the fingerprint. */
  private final class FingerprintedEntries implements Entries {
    private final Entries all;

    FingerprintedEntries(Entries all) {
      this.all = all;
    }

    @Override
    public boolean next() throws IOException {
      if (!all.next()) {
        return false;
      }
      ByteBuffer lengths = ByteBuffer.allocate(8).putInt(key().length()).putInt(value().length());
      digest.update(lengths.flip());
      digest.update(key().toArray());
      digest.update(value().toArray());
      return true;
    }

    @Override
    public long hash() {
      return all.hash();
    }

    @Override
    public Bytes key() {
      return all.key();
    }

    @Override
    public Bytes value() {
      return all.value();
    }

    @Override
    public void close() throws IOException {
      all.close();
    }
  }
}
