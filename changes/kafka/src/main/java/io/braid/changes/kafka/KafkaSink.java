package io.braid.changes.kafka;

import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeLine;
import io.braid.changes.feed.FeedSink;
import io.braid.changes.feed.Position;
import io.braid.changes.feed.PositionFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * A topic of Kafka. Each change is a record: the key of its row, its line of JSON, and as headers
 * its table and its position. So one partition contains all changes of a row, in their order. Every
 * partition gets the resolved timestamp.
 *
 * <p>A batch is a transaction of Kafka. After its commit, the position of the batch goes into a
 * file here. If the process dies between the two, the batch comes again, as a whole and under the
 * same positions. So within a partition positions rise, except for such repetitions. A reader gets
 * each change once if it reads only committed records, and skips records whose position is not
 * above the highest that it has of this table and partition.
 */
public final class KafkaSink implements FeedSink {
  /** The header that holds the position, as text. */
  public static final String POSITION = "braid-position";

  /** The header that holds the name of the table. */
  public static final String TABLE = "braid-table";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final PositionFile positions;

  /**
   * @param producer of transactions; closed with this
   * @param positions the file that keeps the position; made when it is not there
   * @throws IOException when the servers do not answer, or refuse
   */
  public KafkaSink(Producer<byte[], byte[]> producer, String topic, Path positions)
      throws IOException {
    this.producer = producer;
    this.topic = topic;
    this.positions = new PositionFile(positions, topic);
    try {
      // The transactions that an earlier process left open have been committed or given up
      // afterwards.
      producer.initTransactions();
    } catch (KafkaException e) {
      producer.close(Duration.ZERO);
      throw new IOException("Topic " + topic + " cannot be written: " + why(e), e);
    }
  }

  @Override
  public Optional<Position> position(String table) throws IOException {
    return positions.read(table);
  }

  @Override
  public void take(String table, ChangeBatch batch) throws IOException {
    try {
      producer.beginTransaction();
      String lineage = batch.position().lineage();
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (Change change : batch.changes()) {
        sent.add(
            producer.send(
                record(
                    table,
                    null,
                    change.row().key().toArray(),
                    ChangeLine.toText(ChangeLine.of(change, lineage)),
                    change.position().of(lineage))));
      }
      if (batch.isEnd()) {
        sent.addAll(sendResolved(table, batch.position()));
      }
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
      producer.commitTransaction();
    } catch (KafkaException | ExecutionException e) {
      giveUp();
      throw new IOException(
          isShutOut(e)
              ? "Another process brings this feed to topic " + topic + "."
              : "Topic " + topic + " does not take changes: " + why(e),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      giveUp();
      throw new IOException("Interrupted before topic " + topic + " had the changes.", e);
    }
    positions.write(table, batch.position());
  }

  private List<Future<RecordMetadata>> sendResolved(String table, Position position) {
    String line = ChangeLine.toText(ChangeLine.resolved(table, position));
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (PartitionInfo each : producer.partitionsFor(topic)) {
      sent.add(producer.send(record(table, each.partition(), null, line, position)));
    }
    return sent;
  }

  private ProducerRecord<byte[], byte[]> record(
      String table,
      @Nullable Integer partition,
      byte @Nullable [] key,
      String line,
      Position position) {
    List<Header> headers =
        List.of(
            new RecordHeader(TABLE, utf8(table)),
            new RecordHeader(POSITION, utf8(position.toString())));
    return new ProducerRecord<>(topic, partition, key, utf8(line), headers);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Aborts the open transaction: readers never see its records. If the abort fails, the next
   * process has it decided.
   */
  private void giveUp() {
    try {
      producer.abortTransaction();
    } catch (KafkaException | IllegalStateException e) {
      // The failure that brought us here says more.
    }
  }

  /**
   * Returns whether another process has begun this feed after us. The failure comes either from the
   * broker or from the client here.
   */
  private static boolean isShutOut(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        return true;
      }
    }
    return false;
  }

  static String why(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && (cause instanceof ExecutionException || cause.getClass() == KafkaException.class)) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  @Override
  public void close() {
    producer.close(PATIENCE);
  }
}
