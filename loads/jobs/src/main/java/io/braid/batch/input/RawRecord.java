package io.braid.batch.input;

import io.braid.core.data.Bytes;

/**
 * A record as it stands in the input.
 *
 * @param offset where it begins in the uncompressed text; of files that are no text, how many
 *     records stand before it
 * @param bytes its bytes, without the end of its line; of files that are no text, an object of JSON
 */
public record RawRecord(long offset, Bytes bytes) {}
