package io.braid.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.SharedBraid;
import io.braid.batch.engine.EngineWrites;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs made of Hadoop's own classes, from a table to a table. Fault 42. */
class WordCountTest {
  private static final Column<String> TEXT = Column.of("page", "text", Codecs.utf8());
  private static final Column<String> COUNT = Column.of("word", "count", Codecs.utf8());

  @TempDir Path directory;
  private SharedBraid shared;
  private Braid db;

  /** Fails after some words were given out. */
  public static final class Stumbling extends IntSumReducer<Text> {
    static final AtomicInteger FAILURES = new AtomicInteger();

    @Override
    public void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      super.reduce(key, values, context);
      if (key.toString().equals("dog") && FAILURES.getAndDecrement() > 0) {
        throw new IOException("stumbled, on purpose");
      }
    }
  }

  /** Looks whether the load of its job could be taken for one that its driver has left. */
  public static final class Watching extends IntSumReducer<Text> {
    static final Set<Boolean> ALIVE = ConcurrentHashMap.newKeySet();

    @Override
    protected void setup(Context context) {
      try (SharedBraid other = SharedBraid.of(context.getConfiguration().get(BraidJob.DATABASE))) {
        EngineWrites writes = new EngineWrites(other.db().loads());
        writes.all().forEach(each -> ALIVE.add(writes.isAlive(each)));
      }
    }
  }

  @BeforeEach
  void open() {
    shared = SharedBraid.of(directory.resolve("data").toString());
    db = shared.db();
    db.ensureTable("pages", "page");
    db.ensureTable("words", Protocol.OMID, "word");
    db.store().splitTablet("pages", Bytes.of("k5"));
    db.store().splitTablet("pages", Bytes.of("k8"));
    for (int i = 0; i < 10; i++) {
      write("k" + i, "the cat and the dog");
    }
  }

  private void write(String key, String text) {
    db.run(
        tx -> {
          tx.set(Row.of("pages", key), TEXT, text);
          return key;
        });
  }

  @AfterEach
  void close() {
    shared.close();
  }

  private Job job() throws IOException {
    Configuration settings = LocalJobs.settings(directory);
    settings.set(BraidJob.DATABASE, directory.resolve("data").toString());
    settings.set(BraidJob.INPUT_TABLE, "pages");
    settings.set(BraidJob.INPUT_COLUMN, "page:text");
    settings.set(BraidJob.OUTPUT_TABLE, "words");
    settings.set(BraidJob.OUTPUT_COLUMN, "word:count");
    Job job = Job.getInstance(settings, "word count");
    job.setMapperClass(TokenCounterMapper.class);
    job.setReducerClass(IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    job.setInputFormatClass(BraidInputFormat.class);
    job.setOutputFormatClass(BraidOutputFormat.class);
    return job;
  }

  private Map<String, String> words() {
    Map<String, String> words = new TreeMap<>();
    try (Snapshot now = db.snapshot();
        RowCursor cursor = now.scan(Scan.of("words").family("word"))) {
      while (cursor.hasNext()) {
        RowValues row = cursor.next();
        words.put(row.row().key().toUtf8(), row.get(COUNT).orElse(""));
      }
    }
    return words;
  }

  @Test
  void wordsAreCountedFromTableToTableAtOneSnapshotAndSeenAllAtOnce() throws Exception {
    Job job = job();
    assertThat(new BraidInputFormat().getSplits(job)).hasSize(3);
    assertThat(job.waitForCompletion(false)).isTrue();
    assertThat(words()).isEqualTo(Map.of("the", "20", "cat", "10", "and", "10", "dog", "10"));
    assertThat(db.transactions().pins()).isEmpty();

    Snapshot before = db.snapshot();
    write("k0", "a bird");
    Job past = job();
    past.getConfiguration().set(BraidJob.INPUT_AS_OF, Long.toString(before.timestamp()));
    past.getConfiguration().set(BraidJob.INPUT_PREFIX, "k0");
    assertThat(past.waitForCompletion(false)).isTrue();
    before.close();
    assertThat(words()).containsEntry("the", "2").doesNotContainKey("bird");
  }

  @Test
  void aJobThatFailsLeavesNothing() throws Exception {
    Stumbling.FAILURES.set(1);
    Job job = job();
    job.setReducerClass(Stumbling.class);
    assertThat(job.waitForCompletion(false)).isFalse();
    assertThat(words()).isEmpty();
    assertThat(db.transactions().pins()).isEmpty();
    assertThat(job().waitForCompletion(false)).isTrue();
    assertThat(words()).hasSize(4);
  }

  @Test
  void theLoadOfARunningJobHasALivingDriver() throws Exception {
    shared.close();
    Watching.ALIVE.clear();
    Job job = job();
    job.setReducerClass(Watching.class);
    assertThat(job.waitForCompletion(false)).isTrue();
    assertThat(Watching.ALIVE).containsExactly(true);
    shared = SharedBraid.of(directory.resolve("data").toString());
    db = shared.db();
    assertThat(words()).hasSize(4);
    assertThat(new EngineWrites(db.loads()).all()).isEmpty();
  }

  @Test
  void wrongSettingsAreRefusedBeforeAnythingRuns() throws Exception {
    Job job = job();
    job.getConfiguration().set(BraidJob.OUTPUT_COLUMN, "nix:count");
    assertThatThrownBy(() -> job.waitForCompletion(false)).hasMessageContaining("no family nix");
    for (String workers : new String[] {"0", "-1", "1001"}) {
      Job many = job();
      many.getConfiguration().set(BraidJob.OUTPUT_WORKERS, workers);
      assertThatThrownBy(() -> many.waitForCompletion(false))
          .hasMessageContaining("1 to 1000 workers");
    }
    Job none = job();
    none.getConfiguration().unset(BraidJob.INPUT_TABLE);
    assertThatThrownBy(() -> none.waitForCompletion(false))
        .hasMessageContaining("braid.input.table");
  }
}
