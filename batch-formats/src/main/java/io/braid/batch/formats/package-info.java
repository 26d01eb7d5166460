/**
 * Avro and Parquet for loads and exports, by their own libraries. Both are read as Avro's generic
 * records, which {@link RecordJson} shows as JSON; Parquet is read and written without Hadoop's
 * file systems and codecs ({@link ParquetCodecs}).
 */
@NullMarked
package io.braid.batch.formats;

import org.jspecify.annotations.NullMarked;
