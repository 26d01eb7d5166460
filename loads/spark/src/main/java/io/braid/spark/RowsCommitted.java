package io.braid.spark;

import io.braid.batch.engine.AttemptFiles;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** The files that a committed attempt has written. */
record RowsCommitted(AttemptFiles.WrittenFiles written) implements WriterCommitMessage {}
