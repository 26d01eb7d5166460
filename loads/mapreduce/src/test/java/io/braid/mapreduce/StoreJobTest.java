package io.braid.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.EngineBuild;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version of a store that the reduce tasks of a job build. */
class StoreJobTest {
  private static final int WORDS = 400;

  @TempDir Path directory;

  /** Fails once, after some words were given out. */
  public static final class Stumbling extends IntSumReducer<Text> {
    static final AtomicInteger FAILURES = new AtomicInteger();

    @Override
    protected void cleanup(Context context) throws IOException {
      if (FAILURES.getAndDecrement() > 0) {
        throw new IOException("stumbled, on purpose");
      }
    }
  }

  private Job job(EngineBuild build, String out) throws IOException {
    Path input = Files.createDirectories(directory.resolve("input"));
    for (int file = 0; file < 3; file++) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < WORDS; i++) {
        lines.add("word" + i + (i % 3 == file ? " word" + i : ""));
      }
      Files.write(input.resolve(file + ".txt"), lines);
    }
    Configuration settings = LocalJobs.settings(directory);
    settings.set("mapreduce.reduce.maxattempts", "1");
    Job job = Job.getInstance(settings, "words of a store");
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
    job.setMapperClass(TokenCounterMapper.class);
    job.setReducerClass(IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    StoreOutputFormat.set(job, build, directory.resolve(out).toUri().toString());
    return job;
  }

  private static BuildPlan plan() {
    return BuildPlan.of("words")
        .routing(Routing.consistent(Ring.even(3, 7), 2))
        .chunks(2)
        .memory(4_000)
        .minimumKeys(WORDS);
  }

  private Map<Integer, Manifest> manifests(String out) throws IOException {
    Map<Integer, Manifest> manifests = new TreeMap<>();
    for (int node = 0; node < 3; node++) {
      Path folder = StoreBuilder.folder(directory.resolve(out), node);
      Manifest manifest = ManifestFile.read(folder);
      manifests.put(node, manifest);
      for (Map.Entry<String, FileDigest> file : manifest.files().entrySet()) {
        assertThat(FileDigest.of(folder.resolve(file.getKey()))).isEqualTo(file.getValue());
      }
    }
    return manifests;
  }

  /** However many tasks, the files are those that one process would have written. */
  @Test
  void aJobBuildsWhatOneProcessBuilds() throws Exception {
    Map<Integer, Manifest> alone;
    try (StoreBuilder builder = new StoreBuilder(plan(), directory.resolve("alone"))) {
      for (int i = 0; i < WORDS; i++) {
        builder.add(Bytes.of("word" + i), Bytes.of("4"));
      }
      alone = builder.finish().manifests();
    }
    for (int tasks : new int[] {3, 40}) {
      String out = "out" + tasks;
      assertThat(job(EngineBuild.of(plan(), tasks), out).waitForCompletion(false)).isTrue();
      assertThat(manifests(out)).isEqualTo(alone);
      try (Stream<Path> left = Files.list(directory.resolve(out))) {
        assertThat(left.map(each -> each.getFileName().toString()))
            .containsExactlyInAnyOrder("node-0", "node-1", "node-2");
      }
    }
  }

  /** Nothing of a job that fails can be taken for a version. */
  @Test
  void aJobThatFailsLeavesNothing() throws Exception {
    Stumbling.FAILURES.set(1);
    Job stumbling = job(EngineBuild.of(plan(), 3), "out");
    stumbling.setReducerClass(Stumbling.class);
    assertThat(stumbling.waitForCompletion(false)).isFalse();
    assertThat(Stumbling.FAILURES).hasValueLessThan(1);
    assertThat(directory.resolve("out")).isEmptyDirectory();

    // With no reduction a word comes as often as it is counted.
    Job unreduced = job(EngineBuild.of(plan(), 3), "out");
    unreduced.setReducerClass(org.apache.hadoop.mapreduce.Reducer.class);
    assertThat(unreduced.waitForCompletion(false)).isFalse();
    assertThat(directory.resolve("out")).isEmptyDirectory();

    Job few = job(EngineBuild.of(plan().minimumKeys(WORDS + 1), 3), "out");
    assertThat(few.waitForCompletion(false)).isFalse();
    assertThat(directory.resolve("out")).isEmptyDirectory();

    assertThat(job(EngineBuild.of(plan(), 3), "out").waitForCompletion(false)).isTrue();
    assertThatThrownBy(() -> job(EngineBuild.of(plan(), 3), "out").waitForCompletion(false))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("is not empty");
    Job other = job(EngineBuild.of(plan(), 3), "other");
    other.setNumReduceTasks(2);
    assertThatThrownBy(() -> other.waitForCompletion(false))
        .hasMessageContaining("built by 3 reduce tasks");
    Job maps = job(EngineBuild.of(plan(), 3), "other");
    maps.setMapperClass(Mapper.class);
    maps.setNumReduceTasks(0);
    assertThatThrownBy(() -> maps.waitForCompletion(false)).hasMessageContaining("the job has 0");
  }
}
