package io.braid.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.braid.simulation.campaign.Campaign;
import io.braid.simulation.campaign.OnceFailed;
import io.braid.simulation.campaign.RecordedRun;
import io.braid.simulation.campaign.Tally;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.serving.PushCluster;
import io.braid.simulation.serving.ReplicaWorld;
import io.braid.simulation.workload.Keys;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
  private static SimulationOptions options(long seed) {
    return SimulationOptions.of(Scenarios.PERCOLATOR, seed).duration(Duration.ofSeconds(10));
  }

  @Test
  void sameSeedSameRun() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    SimulationReport one = Simulation.run(options(3).printer(first::add));
    SimulationReport two = Simulation.run(options(3).printer(second::add));
    assertThat(second).isEqualTo(first);
    assertThat(two.traceHash()).isEqualTo(one.traceHash());
    assertThat(two.operations()).isEqualTo(one.operations());
    assertThat(two.faults()).isEqualTo(one.faults());
  }

  @Test
  void anotherSeedOrAnotherSettingIsAnotherRun() {
    String hash = Simulation.run(options(3)).traceHash();
    assertThat(Simulation.run(options(4)).traceHash()).isNotEqualTo(hash);
    assertThat(Simulation.run(options(3).onePhase(true)).traceHash()).isNotEqualTo(hash);
  }

  /** A campaign in small: whatever goes wrong, what clients see is snapshot isolation. */
  @Test
  void transactionsKeepTheirPromisesWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(30, SimulationTest::options).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.faults()).containsKeys(Fault.values());
    assertThat(campaign.operations("commits")).isGreaterThan(900);
    for (Tally tally : campaign.tallies()) {
      assertThat(tally.leastTablets()).isGreaterThanOrEqualTo(Keys.TABLETS);
      assertThat(tally.operation("one-phase-commits") > 0).isEqualTo(tally.onePhase());
    }
  }

  /** Faults 26 to 28: the same, while garbage is collected under everybody's feet. */
  @Test
  void whatIsCollectedIsMissedByNobodyWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(5, SimulationTest::garbage).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.operations("collected")).isGreaterThan(400);
    assertThat(campaign.operations("commits")).isGreaterThan(400);
  }

  private static SimulationOptions garbage(long seed) {
    return SimulationOptions.of(Scenarios.GARBAGE, seed).duration(Duration.ofSeconds(10));
  }

  /** The same, with transactions that have no memory and write long before they commit. */
  @Test
  void whatOutgrowsItsMemoryIsCommittedTogetherOrNotAtAllWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(4, SimulationTest::streamed).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.operations("commits")).isGreaterThan(200);
    assertThat(campaign.operations("streamed")).isGreaterThan(200);
  }

  private static SimulationOptions streamed(long seed) {
    return SimulationOptions.of(Scenarios.STREAMED, seed).duration(Duration.ofSeconds(10));
  }

  /** Fault 88: feeds of all tables, under both protocols, while garbage is collected. */
  @Test
  void feedsTellEveryCommitOnceAndInOrderWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(2, SimulationTest::changes).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.operations("told")).isGreaterThan(500);
  }

  private static SimulationOptions changes(long seed) {
    return SimulationOptions.of(Scenarios.CHANGES, seed).duration(Duration.ofSeconds(6));
  }

  /**
   * Faults 29 to 35: chains of observers in processes that die, and park; some trigger themselves.
   */
  @Test
  void observersFollowEachChangeOnceWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(6, SimulationTest::observers).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.operations("changes-ok")).isGreaterThan(150);
    assertThat(campaign.operations("loops-reported")).isPositive();
  }

  /** Faults 36 to 39: nodes that die, messages that are lost, repeated and late. */
  @Test
  void keysHaveOneOwnerAndBecomeFreeWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(6, SimulationTest::groups).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.faults()).containsKeys(GroupScenario.FAULTS.toArray(Fault[]::new));
    assertThat(campaign.operations("groups-ok")).isGreaterThan(150);
    assertThat(campaign.operations("groups-fail")).isGreaterThan(150);
  }

  /**
   * Faults 53, 55, 56 and 71: nodes go down, sides lose sight of each other, partitions move,
   * clocks are wrong by hours.
   */
  @Test
  void acknowledgedWritesStayAndReplicasConvergeWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(4, SimulationTest::serving).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.faults()).containsKeys(ReplicaWorld.FAULTS.toArray(Fault[]::new));
    for (String what :
        List.of(
            "additions-ok",
            "deletions-ok",
            "deletions-forgotten",
            "hints-delivered",
            "moves",
            "moves-given-up")) {
      assertThat(campaign.operations(what)).as(what).isPositive();
    }
  }

  private static SimulationOptions serving(long seed) {
    return SimulationOptions.of(Scenarios.SERVING, seed).duration(Duration.ofSeconds(5));
  }

  /**
   * Faults 48, 49, 51 and 52: jobs compete and die, nodes die and stand still while they fetch,
   * prepare and swap, versions are rolled back by hand; clients read all the while.
   */
  @Test
  void readsAreOfOneVersionAndNodesAgreeInTheEndWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(4, SimulationTest::pushes).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.faults()).containsKeys(PushCluster.FAULTS.toArray(Fault[]::new));
    for (String what : List.of("pushes-ok", "pushes-fail", "rollbacks", "pins", "reads-ok")) {
      assertThat(campaign.operations(what)).as(what).isGreaterThan(2);
    }
  }

  /** Every strand in one cluster, over tables of both protocols. */
  @Test
  void allStrandsTogetherKeepWhatEachOfThemPromises() {
    Campaign campaign = new Campaign();
    campaign.run(both(2, SimulationTest::together).iterator(), 1, SimulationTest::mustPass);
    for (String what :
        List.of(
            "append-ok",
            "bank-ok",
            "scan-ok",
            "fast-ok",
            "changes-ok",
            "appends",
            "loads-among-them",
            "groups-ok",
            "turns-ok",
            "additions-ok")) {
      assertThat(campaign.operations(what)).as(what).isGreaterThan(2);
    }
  }

  private static SimulationOptions together(long seed) {
    return SimulationOptions.of(Scenarios.TOGETHER, seed).duration(Duration.ofSeconds(6));
  }

  private static SimulationOptions pushes(long seed) {
    return SimulationOptions.of(Scenarios.PUSHES, seed).duration(Duration.ofSeconds(30));
  }

  private static SimulationOptions groups(long seed) {
    return SimulationOptions.of(Scenarios.GROUPS, seed).duration(Duration.ofSeconds(10));
  }

  /** Faults 36 to 39: the whole of the group nodes and of their clients, over a store. */
  @Test
  void groupsAreServedByOneNodeAndEndInTheStoreWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(6, SimulationTest::groupNodes).iterator(), 1, SimulationTest::mustPass);
    for (String what : List.of("groups-ok", "turns-ok", "deleted", "looks-ok")) {
      assertThat(campaign.operations(what)).as(what).isGreaterThan(30);
    }
    for (String what : List.of("groups-fail", "handed-over", "held", "node-starts")) {
      assertThat(campaign.operations(what)).as(what).isGreaterThan(5);
    }
  }

  /** Faults 38 and 40: each line of the file tells what a run of these seeds once found. */
  @Test
  void whatFailedOncePasses() throws Exception {
    onceFailed().stream()
        .filter(SimulationTest::isShort)
        .forEach(run -> mustPass(Simulation.run(run)));
  }

  /** The same, of long runs. */
  @Test
  @Tag("drill")
  void whatFailedOnceInALongRunPasses() throws Exception {
    onceFailed().stream()
        .filter(run -> !isShort(run))
        .forEach(run -> mustPass(Simulation.run(run)));
  }

  private static boolean isShort(SimulationOptions run) {
    return run.duration().compareTo(Duration.ofMinutes(2)) <= 0;
  }

  private static List<SimulationOptions> onceFailed() throws Exception {
    URL file = SimulationTest.class.getResource("once-failed.txt");
    List<SimulationOptions> runs = OnceFailed.read(Path.of(file.toURI()));
    assertThat(runs).isNotEmpty();
    return runs;
  }

  @Test
  void runIsReadFromTheCommandThatReplaysIt() {
    SimulationOptions run = options(-7).onePhase(true);
    assertThat(SimulationOptions.ofReplay(run.replay())).isEqualTo(run);
    for (String other : List.of("simulate paint --seed 1 --seconds 2 --one-phase on", "", "7")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SimulationOptions.ofReplay(other))
          .withMessageContaining("--one-phase on|off");
    }
  }

  private static SimulationOptions groupNodes(long seed) {
    return SimulationOptions.of(Scenarios.GROUP_NODES, seed).duration(Duration.ofSeconds(10));
  }

  /**
   * Omid, with and without the fast path: Fault 1 to Fault 5, Faults 13, 14, 17, 19 to 25. Clients
   * die in every step of their commits, managers are lost and replaced.
   */
  @Test
  void omidKeepsItsPromisesWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(4, SimulationTest::omid).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.operations("commits")).isGreaterThan(500);
    assertThat(campaign.operations("fast-ok")).isGreaterThan(150);
    for (Tally tally : campaign.tallies()) {
      assertThat(tally.leastTablets()).isGreaterThanOrEqualTo(Keys.TABLETS);
      assertThat(tally.operation("one-phase-commits") > 0).isEqualTo(tally.onePhase());
    }
  }

  private static SimulationOptions omid(long seed) {
    return SimulationOptions.of(Scenarios.OMID, seed).duration(Duration.ofSeconds(10));
  }

  /** Faults 17 and 22: rows that all want, in tablets that merge, split and move all the time. */
  @Test
  void versionsStayAboveWhatWasReadWhereverTabletsGo() {
    Campaign campaign = new Campaign();
    campaign.run(both(4, SimulationTest::tablets).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.operations("one-phase-commits")).isGreaterThan(300);
    assertThat(campaign.operations("merges")).isGreaterThan(1000);
    assertThat(campaign.operations("tablet-moves")).isGreaterThan(1000);
  }

  private static SimulationOptions tablets(long seed) {
    return SimulationOptions.of(Scenarios.TABLETS, seed).duration(Duration.ofSeconds(10));
  }

  /** Faults 29 to 35: the same, while observers are paused, backfilled and held back. */
  @Test
  void operatorsDisturbNothingWhateverGoesWrong() {
    Campaign campaign = new Campaign();
    campaign.run(both(3, SimulationTest::operated).iterator(), 1, SimulationTest::mustPass);
    assertThat(campaign.operations("changes-ok")).isGreaterThan(100);
    assertThat(campaign.operations("paused")).isGreaterThan(5);
    assertThat(campaign.operations("backfills")).isGreaterThan(5);
  }

  private static SimulationOptions operated(long seed) {
    return SimulationOptions.of(Scenarios.OPERATED, seed).duration(Duration.ofSeconds(10));
  }

  private static List<SimulationOptions> both(int seeds, LongFunction<SimulationOptions> options) {
    List<SimulationOptions> all = new ArrayList<>();
    for (long seed = 1; seed <= seeds; seed++) {
      all.add(options.apply(seed));
      all.add(options.apply(seed).onePhase(true));
    }
    return all;
  }

  @Test
  void runsBesideEachOtherAreTheSameAsAlone() {
    Map<Long, String> hashes = new ConcurrentHashMap<>();
    List<SimulationOptions> work = LongStream.rangeClosed(3, 6).mapToObj(s -> options(s)).toList();
    new Campaign()
        .run(work.iterator(), 3, report -> hashes.put(report.options().seed(), report.traceHash()));
    assertThat(hashes).hasSize(4);
    assertThat(hashes.get(3L)).isEqualTo(Simulation.run(options(3)).traceHash());
  }

  @Test
  void recordedRunReadsBackAsItWas() {
    SimulationReport report = Simulation.run(options(3).onePhase(true));
    assertThat(RecordedRun.read(RecordedRun.toLine(report)).toObject())
        .isEqualTo(report.toObject());
  }

  private static SimulationOptions observers(long seed) {
    return SimulationOptions.of(Scenarios.OBSERVERS, seed).duration(Duration.ofSeconds(10));
  }

  private static void mustPass(SimulationReport report) {
    assertThat(report.passed()).as(report.toText()).isTrue();
  }

  @Test
  void reportOfAFailureSaysHowToReplayIt() {
    SimulationReport report =
        Simulation.run(
            options(5),
            honest -> new Tampering.Surroundings(honest.store(), new LyingOracle(honest.oracle())));
    assertThat(report.passed()).isFalse();
    assertThat(report.toText())
        .contains("FAILED")
        .contains("./braid simulate percolator --seed 5 --seconds 10 --one-phase off");
  }

  /** However early a run fails, the report tells why. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        Scenarios.PERCOLATOR,
        Scenarios.OMID,
        Scenarios.INDEXES,
        Scenarios.LOADS,
        Scenarios.OBSERVERS,
        Scenarios.TABLETS
      })
  void aFailureBeforeTheTablesAreThereIsTold(String scenario) {
    SimulationReport report =
        Simulation.run(
            SimulationOptions.of(scenario, 1).duration(Duration.ofSeconds(1)),
            honest -> {
              throw new IllegalStateException("on purpose");
            });
    assertThat(report.passed()).isFalse();
    assertThat(report.toText()).contains("on purpose");
  }

  /** Faults 44 and 45: atomic and snapshot loads, whose processes die over them. */
  @Test
  void loadsAreSeenWholeOrNotAtAll() {
    long loads = 0;
    for (long seed = 3; seed < 6; seed++) {
      SimulationReport report =
          Simulation.run(
              SimulationOptions.of(Scenarios.LOADS, seed)
                  .duration(Duration.ofSeconds(8))
                  .onePhase(seed % 2 == 0));
      assertThat(report.passed()).as(report.toText()).isTrue();
      loads += report.operations().getOrDefault("loads-among-them", 0L);
    }
    assertThat(loads).as("loads while others wrote").isPositive();
  }

  /** Fault 17: tablets split, and the parts of a local index follow them, while people move. */
  @Test
  void anIndexSaysWhatItsTableSaysWhereverItsPartsLie() {
    long looks = 0;
    long follows = 0;
    for (long seed = 1; seed < 7; seed++) {
      SimulationReport report =
          Simulation.run(
              SimulationOptions.of(Scenarios.INDEXES, seed)
                  .duration(Duration.ofSeconds(8))
                  .onePhase(seed % 2 == 0));
      assertThat(report.passed()).as(report.toText()).isTrue();
      looks += report.operations().getOrDefault("looks", 0L);
      follows += report.operations().getOrDefault("moved", 0L);
    }
    assertThat(looks).as("comparisons of index and table").isPositive();
    assertThat(follows).as("index rows that were moved").isPositive();
  }
}
