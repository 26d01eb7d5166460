/**
 * The files of a store (Voldemort, section 4.1; {@code docs/formats/chunks.md}).
 *
 * <p>The tuples of a bucket (a partition and a replica) are split into <i>chunks</i>, each a pair
 * of a data and an index file that are mapped into memory. {@link io.braid.serving.chunk.Placement}
 * says which chunk a key belongs to, {@link io.braid.serving.chunk.ChunkWriter} writes one, {@link
 * io.braid.serving.chunk.Chunk} answers from one.
 *
 * <p>A lookup ends in one of three ways: the value that was written, the proof that there is none,
 * or {@link ServingException} {@code DAMAGED}. A tuple carries a checksum over key and value, which
 * is checked on every hit; a part of the index carries one that is checked before anything is said
 * to be absent.
 */
@NullMarked
package io.braid.serving.chunk;

import io.braid.serving.ServingException;
import org.jspecify.annotations.NullMarked;
