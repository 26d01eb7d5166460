/**
 * Avro and Parquet for loads and exports, by their own libraries. Both are read as Avro's generic
 * records, which {@code RecordJson} shows as JSON; Parquet is read and written without Hadoop's
 * file systems and codecs ({@code ParquetCodecs}).
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.batch.formats;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
