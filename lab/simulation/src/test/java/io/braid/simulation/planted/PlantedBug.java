package io.braid.simulation.planted;

import io.braid.core.store.CellStore;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.simulation.Scenarios;
import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.cluster.Tampering.Surroundings;
import java.util.List;
import java.util.function.UnaryOperator;

/** The bugs that are planted, and what is promised of their discovery. */
enum PlantedBug {
  NO_CONFLICT_CHECK(
      "no conflict check",
      "a writer does not look for commits after its start",
      2,
      3,
      List.of("lost-update"),
      store(Alterations::noConflictCheck)),
  EARLY_COMMIT_TIMESTAMP(
      "commit timestamp taken early",
      "the commit timestamp is drawn before the locks are placed",
      4,
      3,
      List.of("G-single", "wrong-snapshot", "wrong-total"),
      honest ->
          new Surroundings(new EarlyCommitStore(honest.store(), honest.oracle()), honest.oracle())),
  HALF_ROLL_FORWARD(
      "half roll-forward",
      "every second row of a committed transaction gets no commit record",
      2,
      3,
      List.of("lost-append"),
      store(Alterations::halfRollForward)),
  COMMITTED_SECONDARY_CLEANED_UP(
      "committed secondary cleaned up",
      "who meets a lock removes it, though its primary has committed",
      2,
      4,
      List.of("lost-append"),
      store(CarelessCleanupStore::new)),
  ABORTED_WRITE_VISIBLE(
      "aborted write visible",
      "the rollback of a row commits it",
      2,
      4,
      List.of("G1a"),
      store(Alterations::abortedWriteVisible)),
  STALE_SNAPSHOT(
      "stale snapshot",
      "reads see an older snapshot than the one of their transaction",
      2,
      4,
      List.of("stale-read"),
      store(Alterations::staleSnapshot)),
  LOST_ACKNOWLEDGED_WRITE(
      "lost acknowledged write",
      "every tenth commit is acknowledged but not done",
      2,
      3,
      List.of("lost-append"),
      store(Alterations::lostAcknowledgedWrite)),
  LOCKS_IGNORED(
      "locks ignored",
      "a reader does not look for locks below its snapshot",
      2,
      8,
      List.of("G-single", "wrong-snapshot"),
      store(Alterations::locksIgnored)),
  ROLLBACK_MARK_IGNORED(
      "rollback mark ignored",
      "a prewrite that comes late is accepted though its transaction was rolled back",
      20,
      80,
      List.of("lost-append", "lost-update", "wrong-snapshot"),
      store(Alterations::markIgnored)),
  COMMIT_WITHOUT_LOCK(
      "commit without lock",
      "an owner whose lock was cleaned up reports a commit",
      6,
      30,
      List.of("lost-append", "lost-update"),
      store(Alterations::commitWithoutLock)),
  CLOCK_IGNORES_READERS(
      "clock ignores readers",
      "a one-phase commit takes the version after its start, below snapshots that were served",
      8,
      12,
      List.of("wrong-snapshot"),
      store(Alterations::clockIgnoresReaders)),
  ACKNOWLEDGED_BEFORE_SYNCED(
      "acknowledged before synced",
      "commits that are to survive the machine are not synced",
      3,
      40,
      List.of("lost-append"),
      store(UnsyncedStore::new)),
  WATERMARK_IGNORED(
      "low watermark ignored",
      "a read below the low watermark is answered with what the collection left",
      Scenarios.GARBAGE,
      20,
      store(Alterations::watermarkIgnored)),
  COLLECTS_TOO_MUCH(
      "collects too much",
      "a collection takes the newest version at or below the watermark too",
      Scenarios.GARBAGE,
      6,
      store(Alterations::collectsTooMuch)),
  LATE_ROUND_WINS(
      "late round wins",
      "a prewrite of a streamed transaction replaces what a later round has put",
      Scenarios.STREAMED,
      40,
      store(Alterations::lateRoundWins)),
  READ_PAST_A_COMMIT(
      "read past a commit",
      "readers go past the intents of a transaction that has written all and is committing",
      Scenarios.STREAMED,
      20,
      store(Alterations::readPastACommit)),
  LOST_DEAD_LETTER(
      "lost dead letter",
      "a change that is given up is taken out of what is pending, and nothing remembers it",
      Scenarios.OBSERVERS,
      8,
      store(Alterations::lostDeadLetter)),
  CLEARED_UNCOMPARED(
      "cleared without comparing",
      "notifications go although the column has changed since its observers looked",
      Scenarios.OBSERVERS,
      40,
      store(Alterations::clearedUncompared)),
  CLEARED_UNSEEN(
      "cleared unseen",
      "with the notifications that were dealt with go those that came since",
      Scenarios.OBSERVERS,
      12,
      store(Alterations::clearedUnseen)),
  UNRAISED_BY_PERCOLATOR(
      "clock not raised by a roll-forward",
      "who makes intents commit records does not tell the clock of the tablet",
      Scenarios.PERCOLATOR,
      1,
      store(Alterations::unraisedByPercolator)),
  UNRAISED_BY_OMID(
      "clock not raised after a commit",
      "who makes tentative cells commit records does not tell the clock of the tablet",
      Scenarios.OMID,
      1,
      store(OmidAlterations::unraised)),
  SCANS_UNCHECKED(
      "scans unchecked",
      "a scan does not ask, after a batch, whether what it read may have been collected meanwhile",
      Scenarios.GARBAGE,
      40,
      store(Alterations::scansUnchecked)),
  CONFLICT_GRANTED(
      "conflict granted",
      "the transaction manager grants a commit in spite of a conflict",
      Scenarios.OMID,
      3,
      OmidAlterations.grants(Verdict.CONFLICT)),
  FORGOTTEN_GRANTED(
      "forgotten commits ignored",
      "the manager grants commits of transactions older than what its map had to forget",
      Scenarios.OMID,
      20,
      OmidAlterations.grants(Verdict.TOO_OLD)),
  TENTATIVE_IGNORED(
      "tentative cells ignored",
      "a reader does not look for tentative cells below its snapshot",
      Scenarios.OMID,
      4,
      store(OmidAlterations::tentativeIgnored)),
  INVALIDATION_NOT_WRITTEN(
      "invalidation not written",
      "a reader passes over an undecided transaction without making its commit impossible",
      Scenarios.OMID,
      3,
      store(OmidAlterations::invalidationNotWritten)),
  PROPOSAL_OVERRIDES(
      "proposal overrides invalidation",
      "a client commits though a reader has invalidated its transaction",
      Scenarios.OMID,
      3,
      store(OmidAlterations::proposalOverrides)),
  NO_SECOND_LOOK(
      "no second look",
      "a reader that finds a transaction invalid does not look at the row again (section 3.2)",
      Scenarios.OMID,
      30,
      store(OmidAlterations::noSecondLook)),
  ENTRY_REMOVED_TOO_EARLY(
      "entry removed too early",
      "the entry of a committed transaction goes before its tentative cells",
      Scenarios.OMID,
      3,
      store(OmidAlterations::entryRemovedTooEarly)),
  TENTATIVE_NOT_AWAITED(
      "tentative cells not awaited",
      "the manager is asked before it is known that all tentative cells stand",
      Scenarios.OMID,
      12,
      store(OmidAlterations::tentativeNotAwaited)),
  FAST_WRITES_UNSEEN(
      "fast writes unseen",
      "a regular write does not look for commits of the fast path after its start (figure 3)",
      Scenarios.OMID,
      40,
      store(OmidAlterations::fastWritesUnseen)),
  FAST_WRITE_OVER_TENTATIVE(
      "fast write over a tentative cell",
      "a fast write does not look for tentative cells",
      Scenarios.OMID,
      6,
      store(OmidAlterations::fastWriteOverTentative)),
  FAST_WRITE_BELOW_READERS(
      "fast write below readers",
      "a fast write takes a version below snapshots that were served",
      Scenarios.OMID,
      40,
      store(OmidAlterations::fastWriteBelowReaders)),
  FAST_WRITE_AGAIN(
      "fast write repeated",
      "a fast write that arrives twice is written twice",
      Scenarios.OMID,
      6,
      store(OmidAlterations::fastWriteAgain)),
  ROLL_FORWARD_UNMARKED(
      "roll-forward without change marks",
      "secondaries become commit records without a mark for the change log",
      Scenarios.CHANGES,
      3,
      store(FeedAlterations::rollForwardUnmarked)),
  MARKS_COLLECTED(
      "marked versions collected",
      "a collection takes versions that the change log has yet to read",
      Scenarios.CHANGES,
      12,
      store(FeedAlterations::marksCollected)),
  RESOLVED_PAST_INTENTS(
      "resolved past intents",
      "the resolved timestamp of a feed passes transactions that are being committed",
      Scenarios.CHANGES,
      6,
      store(FeedAlterations::intentsUnseen)),
  CLOCKS_UNREAD(
      "clocks unread",
      "a node of a read-write store keeps what came last, whatever its clock says",
      Scenarios.SERVING,
      10,
      EngineAlterations.clocksUnread()),
  MASTERS_UNCHECKED(
      "masters unchecked",
      "the first replica of a write does not look whether its writer saw what was first written there",
      Scenarios.SERVING,
      40,
      EngineAlterations.mastersUnchecked()),
  TRIES_UNNAMED(
      "tries unnamed",
      "of a write that was tried at two nodes both tries stay, as if they were two writes",
      Scenarios.SERVING,
      40,
      EngineAlterations.triesUnnamed()),
  SIBLINGS_DROPPED(
      "siblings dropped",
      "of versions that know nothing of each other the last one stays alone",
      Scenarios.SERVING,
      20,
      EngineAlterations.siblingsDropped()),
  YIELD_IDS_UNCHECKED(
      "yield ids unchecked",
      "a late JAA of an earlier yield confirms a later one (figure 5)",
      Scenarios.GROUPS,
      120,
      GroupAlterations.yieldIdsUnchecked()),
  HOLDS_OVERLOOKED(
      "holds overlooked",
      "a join takes a row though another group holds it",
      Scenarios.GROUP_NODES,
      3,
      store(GroupAlterations::holdsOverlooked)),
  OUTSIDERS_LET_IN(
      "outsiders let in",
      "a writer outside does not look whether a group holds the row",
      Scenarios.GROUP_NODES,
      40,
      store(GroupAlterations::outsidersLetIn)),
  LEASE_NOT_AWAITED(
      "lease not awaited",
      "a group is taken over though its leader, that does not look alive, may still answer",
      Scenarios.GROUP_NODES,
      100,
      store(GroupAlterations::leaseNotAwaited)),
  SWEEP_UNCHECKED(
      "sweep unchecked",
      "the ghost sweep frees rows of groups that are there",
      Scenarios.GROUP_NODES,
      15,
      store(GroupAlterations::sweepUnchecked)),
  ACKNOWLEDGED_BEFORE_LOGGED(
      "acknowledged before logged",
      "a commit of a group is acknowledged before it is in the log",
      Scenarios.GROUP_NODES,
      30,
      GroupAlterations.acknowledgedBeforeLogged()),
  LOG_UNFENCED(
      "log unfenced",
      "a group's log takes commits of a leader that others have succeeded",
      Scenarios.GROUP_NODES,
      400,
      store(GroupAlterations::logUnfenced)),
  TAKEN_OVER_WITHOUT_LOG(
      "taken over without its log",
      "who takes a group over goes on with what stands in the store",
      Scenarios.GROUP_NODES,
      30,
      GroupAlterations.takenOverWithoutLog()),
  BATCH_TORN(
      "batch torn",
      "the shipper brings a batch to the store by two transactions",
      Scenarios.GROUP_NODES,
      30,
      GroupAlterations.batchTorn()),
  DELETION_DOES_NOT_WAIT(
      "deletion does not wait",
      "a group is deleted before all its commits are in the store",
      Scenarios.GROUP_NODES,
      6,
      GroupAlterations.deletionDoesNotWait()),
  FENCES_LET_THROUGH(
      "fences let through",
      "writers that began before a fence go on while index rows are moved",
      Scenarios.INDEXES,
      20,
      store(IndexAlterations::fencesLetThrough)),
  SWAP_NOT_TAKEN_BACK(
      "swap not taken back",
      "a node leaves a version live that could not be swapped in on all nodes",
      Scenarios.PUSHES,
      80,
      PushAlterations.notTakenBack()),
  MISSED_PUSH_UNHEARD(
      "missed push unheard",
      "a node that missed a push does not hear of it, and reads in the version before",
      Scenarios.PUSHES,
      40,
      PushAlterations.missedUnheard()),
  READ_VERSION_IGNORED(
      "read version ignored",
      "a node reads in the version that is live, whichever was asked for",
      Scenarios.PUSHES,
      12,
      PushAlterations.versionIgnored()),
  HIGHEST_VERSION_SERVED(
      "highest version served",
      "a node that starts serves the highest version on its disk",
      Scenarios.PUSHES,
      50,
      PushAlterations.highestServed()),
  MERGED_CLOCK_FORGETS(
      "merged clock forgets",
      "the clock of a merged tablet knows what its first half has served, not the second",
      Scenarios.TABLETS,
      20,
      TabletAlterations.mergedClockForgets()),
  FLIPPED_UNREADY(
      "flipped though one was not ready",
      "a node says that it is ready for a version, and has it live, whether it could or not",
      Scenarios.PUSHES,
      60,
      PushAlterations.flippedUnready());

  /** Its name. */
  final String text;

  /** What is done wrong. */
  final String change;

  /**
   * Runs of the workloads within which the checker finds it, by what clients saw alone; 0 when
   * those do not do what it harms.
   */
  final int seedsForWorkloads;

  /** Runs of the simulator within which it finds it. */
  final int seedsForSimulator;

  /** Which scenario of the simulator finds it. */
  final String scenario;

  /** What the checker calls it: at least one of these. */
  final List<String> anomalies;

  final Tampering tampering;

  PlantedBug(
      String text,
      String change,
      int seedsForWorkloads,
      int seedsForSimulator,
      List<String> anomalies,
      Tampering tampering) {
    this.text = text;
    this.change = change;
    this.seedsForWorkloads = seedsForWorkloads;
    this.scenario = Scenarios.PERCOLATOR;
    this.seedsForSimulator = seedsForSimulator;
    this.anomalies = anomalies;
    this.tampering = tampering;
  }

  /** One that only the simulator can find. */
  PlantedBug(
      String text, String change, String scenario, int seedsForSimulator, Tampering tampering) {
    this.text = text;
    this.change = change;
    this.seedsForWorkloads = 0;
    this.scenario = scenario;
    this.seedsForSimulator = seedsForSimulator;
    this.anomalies = List.of();
    this.tampering = tampering;
  }

  boolean isForWorkloads() {
    return seedsForWorkloads > 0;
  }

  private static Tampering store(UnaryOperator<CellStore> bug) {
    return honest -> new Surroundings(bug.apply(honest.store()), honest.oracle());
  }
}
