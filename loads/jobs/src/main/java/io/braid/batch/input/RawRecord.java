package io.braid.batch.input;

import io.braid.core.data.Bytes;
import org.apiguardian.api.API;

/**
 * A record in the form that it has in the input.
 *
 * @param offset where the record begins in the uncompressed text; in files that are not text, how
 *     many records come before it
 * @param bytes its bytes, without the end of its line; in files that are not text, an object of
 *     JSON
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record RawRecord(long offset, Bytes bytes) {}
