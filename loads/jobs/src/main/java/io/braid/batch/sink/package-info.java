/**
 * Writes records to the store and reports the outcome of each (sections 3 and 4). Begin with {@link
 * io.braid.batch.sink.RecordSink}, which gives batches to a {@link
 * io.braid.batch.sink.RecordWriter} and repeats what failed.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.batch.sink;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
