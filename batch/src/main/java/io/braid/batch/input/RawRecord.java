package io.braid.batch.input;

import io.braid.core.data.Bytes;

/**
 * A record as it stands in the input.
 *
 * @param offset where it begins, in the uncompressed file
 * @param bytes its bytes, without the end of its line
 */
public record RawRecord(long offset, Bytes bytes) {}
