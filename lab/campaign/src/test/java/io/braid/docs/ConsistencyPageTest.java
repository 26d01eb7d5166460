package io.braid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.GroupNodes;
import io.braid.Operations;
import io.braid.backup.Backup;
import io.braid.batch.job.LoadJob;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.ChangeLogs;
import io.braid.client.BraidClient;
import io.braid.client.ClientGroup;
import io.braid.client.ClientScript;
import io.braid.client.ClientStore;
import io.braid.client.ClientTuples;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.Transactions;
import io.braid.groups.Group;
import io.braid.groups.GroupTransaction;
import io.braid.groups.Groups;
import io.braid.indexes.Indexes;
import io.braid.observers.ObserverOperations;
import io.braid.serving.client.StoreClient;
import io.braid.serving.writable.WritableStore;
import io.braid.simulation.Scenarios;
import io.braid.tables.Tables;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/consistency.md has a row for every call, and names tests and scenarios that there are. */
class ConsistencyPageTest {
  private static final Pattern CALL = Pattern.compile("`([A-Z]\\w+\\.[a-z]\\w+)`");
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))`");
  private static final Pattern SIMULATED =
      Pattern.compile("\\*simulate\\* ((?:`[a-z-]+`(?:, )?)+)");
  private static final List<Class<?>> CALLED =
      List.of(
          Snapshot.class,
          RowCursor.class,
          Transaction.class,
          Transactions.class,
          FastSession.class,
          Group.class,
          GroupTransaction.class,
          Groups.class,
          Braid.class,
          Tables.class,
          Operations.class,
          GroupNodes.class,
          Indexes.class,
          ObserverOperations.class,
          LoadJob.class,
          ChangeFeed.class,
          ChangeLogs.class,
          Backup.class,
          StoreClient.class,
          WritableStore.class,
          BraidClient.class,
          ClientScript.class,
          ClientGroup.class,
          ClientStore.class,
          ClientTuples.class);

  private static Set<String> in(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> calls(Class<?> type) {
    Set<String> calls = new TreeSet<>();
    for (Method each : type.getDeclaredMethods()) {
      if (Modifier.isPublic(each.getModifiers()) && !each.isSynthetic()) {
        calls.add(type.getSimpleName() + "." + each.getName());
      }
    }
    return calls;
  }

  @Test
  void everyCallHasARowAndEveryRowACall() throws IOException {
    String page = Files.readString(SourceFiles.ROOT.resolve("docs/consistency.md"));
    Set<String> calls = new TreeSet<>();
    CALLED.forEach(type -> calls.addAll(calls(type)));
    assertThat(in(CALL, page)).containsExactlyInAnyOrderElementsOf(calls);
  }

  @Test
  void whoIsSaidToCheckIsThere() throws IOException {
    String page = Files.readString(SourceFiles.ROOT.resolve("docs/consistency.md"));
    Set<String> tests =
        SourceFiles.endingWith(".java").stream()
            .map(file -> String.valueOf(file.getFileName()).replaceFirst("[.]java$", ""))
            .collect(Collectors.toSet());
    assertThat(tests).containsAll(in(TEST, page));
    Set<String> scenarios = new TreeSet<>();
    in(SIMULATED, page).forEach(each -> scenarios.addAll(in(Pattern.compile("`([a-z-]+)`"), each)));
    assertThat(scenarios).isNotEmpty();
    assertThat(Scenarios.names()).containsAll(scenarios);
  }
}
