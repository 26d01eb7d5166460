package io.braid.spark;

import io.braid.batch.engine.AttemptFiles;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** What an attempt that counts has written. */
record RowsCommitted(AttemptFiles.Written written) implements WriterCommitMessage {}
