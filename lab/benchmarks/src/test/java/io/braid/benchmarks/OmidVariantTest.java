package io.braid.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.benchmarks.OmidVariant.Word;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.testkit.checker.HistoryChecker;
import io.braid.testkit.checker.Verdict;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.OpenEntries;
import io.braid.testkit.workload.Workload;
import io.braid.testkit.workload.WorkloadRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is compared keeps its promises, each system by itself. */
class OmidVariantTest {
  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource
  void itsHistoriesAreInOrder(Word word) {
    List<HistoryEntry> history = Collections.synchronizedList(new ArrayList<>());
    OpenEntries entries = new OpenEntries(history::add);
    Seams seams = new SystemSeams();
    try (OmidVariant variant = OmidVariant.in(dir, word, 1 << 10)) {
      Workload workload =
          word == Word.omid_fp ? Workload.fastAppend(8, 2) : Workload.of("append", 8, 2);
      workload.tables().forEach(table -> table.createIn(variant.store()));
      Journal journal = new Journal(seams::nanoTime, Journal.Origin.ZERO, entries);
      WorkloadRun run = new WorkloadRun(workload, variant.transactions(), seams, journal, 3);
      run.prepare();
      run.run(4, 400);
      run.audit();
    }
    entries.giveUp();
    Verdict verdict = HistoryChecker.check(history);
    assertThat(verdict.valid()).as(verdict.toText()).isTrue();
    assertThat(history.stream().filter(each -> each.type() == HistoryEntry.Type.OK))
        .hasSizeGreaterThan(300);
  }
}
