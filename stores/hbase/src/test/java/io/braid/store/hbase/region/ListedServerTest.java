package io.braid.store.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

/** Fault 22: a member of ZooKeeper that lags behind its leader does not keep a lease alive. */
class ListedServerTest {
  private final List<String> asked = new ArrayList<>();
  private final List<VoidCallback> syncs = new ArrayList<>();
  private final List<StatCallback> looks = new ArrayList<>();

  private final ListedServer server =
      new ListedServer(
          () ->
              new ListedServer.Requests() {
                @Override
                public Duration timeout() {
                  return Duration.ofSeconds(10);
                }

                @Override
                public void sync(String path, VoidCallback done) {
                  asked.add("sync " + path);
                  syncs.add(done);
                }

                @Override
                public void exists(String path, StatCallback done) {
                  asked.add("exists " + path);
                  looks.add(done);
                }
              },
          "/rs/one");

  private void synced(Code code) {
    syncs.get(0).processResult(code.intValue(), "/rs/one", null);
  }

  private void looked(Code code) {
    looks.get(0).processResult(code.intValue(), "/rs/one", null, new Stat());
  }

  @Test
  void theMemberHasCaughtUpBeforeItIsAsked() {
    CompletableFuture<Boolean> listed = server.isListed();
    assertThat(asked).containsExactly("sync /rs/one");

    synced(Code.OK);
    assertThat(asked).containsExactly("sync /rs/one", "exists /rs/one");
    assertThat(listed).isNotDone();

    looked(Code.OK);
    assertThat(listed).isCompletedWithValue(true);
  }

  @Test
  void aMemberThatCannotCatchUpIsNotAsked() {
    CompletableFuture<Boolean> listed = server.isListed();

    synced(Code.CONNECTIONLOSS);

    assertThat(listed).isCompletedExceptionally();
    assertThat(looks).isEmpty();
  }

  @Test
  void aNodeThatIsGoneIsToldFromOneThatWasNotSeen() {
    CompletableFuture<Boolean> gone = server.isListed();
    synced(Code.OK);
    looked(Code.NONODE);
    assertThat(gone).isCompletedWithValue(false);

    CompletableFuture<Boolean> lost = server.isListed();
    syncs.get(1).processResult(Code.OK.intValue(), "/rs/one", null);
    looks.get(1).processResult(Code.CONNECTIONLOSS.intValue(), "/rs/one", null, null);
    assertThat(lost).isCompletedExceptionally();
  }
}
