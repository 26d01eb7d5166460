package io.braid.changes.kafka;

import io.braid.Braid;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.FeedPump;
import io.braid.changes.feed.FeedSink;
import io.braid.changes.feed.Position;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/**
 * A process that changes a table and brings its feed to a topic: {@code DATA ADDRESS POSITIONS END
 * BATCH}. It ends at once, as if killed, in the batch of this number (from 0).
 */
final class FeedingProcess {
  static final String TABLE = "people";
  static final Column<Long> COUNT = Column.of("f", "count", Codecs.int64());
  static final int DEAD = 137;

  /** How many rows each life changes; several batches of the feed. */
  static final int CHANGED = 2_500;

  private static final int ROWS = 100;

  /** Where it dies. */
  enum End {
    /** The records are there, the transaction of Kafka is open. */
    OPEN,
    /** The transaction has committed, the position is not written. */
    COMMITTED,
    /** The position is written. */
    BETWEEN,
    /** It does not die: it follows the feed until a file {@code stop} is beside its data. */
    FOLLOW,
    /** All is brought. */
    NEVER
  }

  private final URI address;
  private final Path positions;
  private final End end;
  private final int deadly;
  private int batch;

  private FeedingProcess(URI address, Path positions, End end, int deadly) {
    this.address = address;
    this.positions = positions;
    this.end = end;
    this.deadly = deadly;
  }

  public static void main(String[] args) throws IOException {
    Path data = Path.of(args[0]);
    FeedingProcess feeding =
        new FeedingProcess(
            URI.create(args[1]), Path.of(args[2]), End.valueOf(args[3]), Integer.parseInt(args[4]));
    try (Braid db = Braid.open(data)) {
      db.ensureTable(TABLE, "f");
      db.changes().keep(TABLE, Duration.ofDays(1));
      change(db);
      try (FeedSink sink = feeding.sink()) {
        Position from = sink.position(TABLE).orElse(null);
        System.out.println("Goes on at " + from + ".");
        Path stop = data.resolveSibling("stop");
        new FeedPump(db.changes(TABLE, from), sink, db.loads().seams())
            .run(feeding.end == End.FOLLOW, () -> Files.exists(stop));
      }
    }
  }

  /** Counts up rows, many times each, so that each must come in its order. */
  private static void change(Braid db) {
    for (int tx = 0; tx < CHANGED / ROWS; tx++) {
      db.run(
          t -> {
            for (int i = 0; i < ROWS; i++) {
              Row row = Row.of(TABLE, "row-" + i);
              t.set(row, COUNT, t.get(row, COUNT).orElse(0L) + 1);
            }
            return 0;
          });
    }
  }

  private FeedSink sink() throws IOException {
    Producer<byte[], byte[]> real = new KafkaProducer<>(KafkaTargets.settings(address, positions));
    return new Dying(new KafkaSink(mortal(real), KafkaTargets.topic(address), positions));
  }

  @SuppressWarnings("unchecked")
  private Producer<byte[], byte[]> mortal(Producer<byte[], byte[]> real) {
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            FeedingProcess.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) -> {
              boolean commit = method.getName().equals("commitTransaction");
              if (commit) {
                real.flush();
                dieAt(End.OPEN);
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                if (commit) {
                  dieAt(End.COMMITTED);
                }
              }
            });
  }

  private void dieAt(End place) {
    if (end == place && batch == deadly) {
      System.out.flush();
      Runtime.getRuntime().halt(DEAD);
    }
  }

  /** Dies between two batches. */
  private final class Dying implements FeedSink {
    private final FeedSink sink;

    Dying(FeedSink sink) {
      this.sink = sink;
    }

    @Override
    public Optional<Position> position(String table) throws IOException {
      return sink.position(table);
    }

    @Override
    public void take(String table, ChangeBatch changes) throws IOException {
      sink.take(table, changes);
      dieAt(End.BETWEEN);
      batch++;
    }

    @Override
    public void close() throws IOException {
      sink.close();
    }
  }
}
