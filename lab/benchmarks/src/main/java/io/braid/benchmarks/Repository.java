package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import io.braid.observers.Observer;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * A repository of documents that are clustered by three keys, as in section 3.1 of the Percolator
 * paper. Keys are drawn from three quarters as many as there are documents, so that a cluster has
 * 3.3 documents on average over its keys. For each clustering key, a table has the first document
 * with that key. An observer looks up a new document in all three tables.
 */
final class Repository {
  static final int KEYS = 3;
  static final String DOCUMENTS = "documents";
  static final Column<Bytes> DOCUMENT = Column.of("d", "document", Codecs.bytes());
  static final Column<Long> CLUSTER = Column.of("d", "cluster", Codecs.int64());
  private static final Column<Long> FIRST = Column.of("k", "first", Codecs.int64());
  private static final int CONTENT_BYTES = 1000;
  private static final int LOADED_AT_ONCE = 200;

  private final Braid db;
  private final long possibleKeys;
  private final SplittableRandom random = new SplittableRandom(7);
  private long size;

  Repository(Braid db, long documents) {
    this.db = db;
    this.possibleKeys = documents * 3 / 4;
    db.ensureTable(DOCUMENTS, "d");
    for (int i = 0; i < KEYS; i++) {
      db.ensureTable(index(i), "k");
    }
  }

  long size() {
    return size;
  }

  /** Writes documents that are already clustered. */
  void load(long documents) {
    while (size < documents) {
      long from = size;
      long to = Math.min(documents, from + LOADED_AT_ONCE);
      db.run(
          tx -> {
            for (long id = from; id < to; id++) {
              Bytes document = document();
              tx.set(row(id), DOCUMENT, document);
              tx.set(row(id), CLUSTER, cluster(tx, id, document));
            }
            return true;
          });
      size = to;
    }
  }

  /** Starts clustering new documents as they are written. */
  void observe() {
    db.observe(Observer.of("cluster", DOCUMENTS, DOCUMENT, Repository::observe));
    db.startWorkers();
  }

  private static void observe(Transaction tx, Row row) {
    Bytes document = tx.get(row, DOCUMENT).orElseThrow();
    tx.set(row, CLUSTER, cluster(tx, row.key().longAt(Long.BYTES), document));
  }

  /**
   * Returns the first document with one of this document's keys. For new keys, that is the document
   * itself.
   */
  private static long cluster(Transaction tx, long id, Bytes document) {
    long cluster = id;
    for (int i = 0; i < KEYS; i++) {
      Row key = Row.of(index(i), spread(key(document, i)));
      long first = tx.get(key, FIRST).orElse(id);
      if (first == id) {
        tx.set(key, FIRST, id);
      }
      cluster = Math.min(cluster, first);
    }
    return cluster;
  }

  /** Writes a new document and returns its row. */
  Row crawl() {
    Row row = row(size++);
    Bytes document = document();
    db.run(
        tx -> {
          tx.set(row, DOCUMENT, document);
          return true;
        });
    return row;
  }

  private Bytes document() {
    byte[] document = new byte[KEYS * Long.BYTES + CONTENT_BYTES];
    random.nextBytes(document);
    ByteBuffer keys = ByteBuffer.wrap(document);
    for (int i = 0; i < KEYS; i++) {
      keys.putLong(random.nextLong(possibleKeys));
    }
    return Bytes.wrap(document);
  }

  /** Returns one of the clustering keys of a document. */
  static long key(Bytes document, int i) {
    return document.longAt(i * Long.BYTES);
  }

  private static String index(int key) {
    return "index" + key;
  }

  private static Row row(long id) {
    return Row.of(DOCUMENTS, spread(id));
  }

  /**
   * Returns a key of sixteen bytes, spread over the key space. The second half is the number
   * itself.
   */
  private static Bytes spread(long id) {
    long mixed = id * 0x9E3779B97F4A7C15L;
    return Bytes.wrap(ByteBuffer.allocate(16).putLong(mixed).putLong(id).array());
  }
}
