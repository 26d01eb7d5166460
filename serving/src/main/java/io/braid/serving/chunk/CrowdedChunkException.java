package io.braid.serving.chunk;

import org.apiguardian.api.API;

/**
 * So many keys of a chunk have one hash that it must be written again in the order of another.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class CrowdedChunkException extends RuntimeException {
  private final long seed;

  CrowdedChunkException(ChunkName name, long seed) {
    super("Chunk " + name + " has too many keys with one hash.");
    this.seed = seed;
  }

  /** Returns the seed for hashing the keys of this chunk: {@link ChunkWriter#rest}. */
  public long seed() {
    return seed;
  }
}
