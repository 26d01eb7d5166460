package io.braid.serving.imports;

import io.braid.core.runtime.Seams;
import io.braid.serving.NotFinishedException;
import io.braid.serving.imports.ImportSteps.NodeAnswers;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.ImportState.EndedImport;
import io.braid.serving.writable.imports.ImportState.Phase;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Brings many tuples into all replicas of a read-write store, over any current values (Hadoop on
 * PNUTS, section 6.2). Only one of two ways to write is open at a time:
 *
 * <ol>
 *   <li>All nodes refuse new writes.
 *   <li>They deliver their hints, and then bring each other missing tuples, until all replicas are
 *       the same.
 *   <li>All take tuples of the import. Each node gets the tuples that it holds.
 *   <li>When all tuples are at all their replicas, all nodes are locked. When all are locked, they
 *       take writes again.
 * </ol>
 *
 * <p>The knowledge of the nodes is the checkpoint: an import that broke off is run again under its
 * id, with the same tuples. No node begins a step before all have ended the step before, so the
 * furthest node shows the right state for all.
 */
public final class StoreImport {
  private final Seams seams;
  private final Topology topology;
  private final String store;
  private final String id;
  private final ImportSteps steps;
  private final TupleSender sender;
  private final Watcher watcher;

  /** Receives the progress of the import. */
  public interface Watcher {
    /**
     * @param step what is counted, in words
     * @param done how many of them
     * @param total of how many; 0 while that is not known
     */
    void at(String step, long done, long total);
  }

  /**
   * The result of an import.
   *
   * @param before whether the tuples had been imported under this id before, and this run only
   *     informed nodes of that
   */
  public record ImportResult(long tuples, boolean before) {}

  /**
   * @param nodes all of the topology
   * @param id a name of its own
   * @throws IllegalArgumentException when the topology has no read-write store of this name
   */
  public StoreImport(
      Seams seams,
      List<? extends ImportNode> nodes,
      Topology topology,
      String store,
      String id,
      Watcher watcher) {
    this.seams = seams;
    this.topology = topology;
    this.store = store;
    this.id = id;
    this.watcher = watcher;
    this.steps = new ImportSteps(seams, store, nodes);
    this.sender = new TupleSender(steps, topology, store);
  }

  /**
   * Imports, or goes on with an import that broke off.
   *
   * @throws NotFinishedException when it did not come to its end: it names nodes that may go on
   *     refusing writes; run it again, or {@link #abort abort}
   */
  public ImportResult run(ImportInput input) {
    NodeAnswers answers = states();
    Optional<ImportState> mine =
        last(answers).filter(state -> state.id().equals(id) && isOfThisLife(state.topology()));
    if (mine.isEmpty()) {
      Optional<EndedImport> before = before(answers);
      if (before.isPresent()) {
        requireSame(before.get().input(), input, false);
        return new ImportResult(input.count(), true);
      }
      return proceed(fresh(answers, input), input, false);
    }
    ImportState ticket = mine.get();
    if (isAny(answers, ticket, Phase.ENDING) || isAny(answers, ticket, Phase.GIVEN_UP)) {
      giveUp(answers, ticket);
      return proceed(fresh(answers, input), input, false);
    }
    requireSame(ticket.input(), input, ticket.isRunning());
    if (isAny(answers, ticket, Phase.LOCKED) || isAny(answers, ticket, Phase.DONE)) {
      finish(answers, ticket);
      return new ImportResult(input.count(), true);
    }
    return proceed(ticket, input, isAny(answers, ticket, Phase.IMPORTING));
  }

  /**
   * Returns the import states of all nodes. Fails if a node is silent or takes part in another
   * import.
   */
  private NodeAnswers states() {
    NodeAnswers answers = steps.states();
    try {
      answers.requireAll();
    } catch (NotFinishedException e) {
      throw new NotFinishedException(
          e.getMessage() + " An import needs all nodes. Nothing was changed by this.", List.of());
    }
    for (ImportState state : answers.known()) {
      if (state.isRunning() && !state.id().equals(id)) {
        throw new NotFinishedException(
            "Import "
                + state.id()
                + " of store "
                + store
                + " has not ended. Go on with it, or give it up: 'braid store import "
                + store
                + " --id "
                + state.id()
                + " --abort'.",
            List.of());
      }
    }
    return answers;
  }

  private static Optional<ImportState> last(NodeAnswers answers) {
    return answers.known().stream().max(Comparator.comparingLong(ImportState::number));
  }

  private static boolean isAny(NodeAnswers answers, ImportState ticket, Phase phase) {
    return answers.known().stream().anyMatch(state -> state.isOf(ticket) && state.phase() == phase);
  }

  private static List<Integer> running(NodeAnswers answers, ImportState ticket) {
    return answers.states().entrySet().stream()
        .filter(node -> node.getValue().filter(s -> s.isRunning() && s.isOf(ticket)).isPresent())
        .map(node -> node.getKey())
        .toList();
  }

  /**
   * Returns whether a topology version is of the store's current life. Imports from before the
   * store was dropped or emptied do not count.
   */
  private boolean isOfThisLife(long version) {
    StoreDefinition now = topology.store(store);
    return now == null || version >= now.life();
  }

  /** An import of this id that has ended, after which others have run. */
  private Optional<EndedImport> before(NodeAnswers answers) {
    return answers.known().stream()
        .flatMap(state -> state.before().stream())
        .filter(each -> each.id().equals(id) && isOfThisLife(each.topology()))
        .findAny();
  }

  private void requireSame(String begun, ImportInput input, boolean running) {
    if (!begun.equals(input.fingerprint())) {
      throw new NotFinishedException(
          "Import "
              + id
              + " of store "
              + store
              + " was begun with other tuples. Name its own input, as of the same snapshot if it is"
              + " a table; or "
              + (running ? "give it up with --abort." : "choose another id."),
          List.of());
    }
  }

  private ImportState fresh(NodeAnswers answers, ImportInput input) {
    StoreDefinition now = topology.store(store);
    long first = VectorClock.firstImport(now == null ? 0 : now.life());
    long number = Math.max(first, 1 + last(answers).map(ImportState::number).orElse(0L));
    return new ImportState(
        id, number, seams.wallMillis(), input.fingerprint(), topology.version(), Phase.REFUSING);
  }

  /**
   * @param importing whether all nodes have agreed before
   */
  private ImportResult proceed(ImportState ticket, ImportInput input, boolean importing) {
    try {
      steps.all(ticket, ImportStep.REFUSE, "refuse writes");
      if (!importing) {
        watcher.at("replicas compared", 0, 1);
        steps.all(ticket, ImportStep.DELIVER, "deliver its hints");
        steps.all(ticket, ImportStep.AGREE, "agree with the other replicas");
      }
    } catch (NotFinishedException e) {
      throw importing ? stopped(e) : backOut(ticket, e);
    }
    try {
      steps.all(ticket, ImportStep.BEGIN, "begin to import");
      sender.send(ticket, input, watcher);
      steps.all(ticket, ImportStep.LOCK, "come to rest");
      steps.all(ticket, ImportStep.OPEN, "take writes again");
    } catch (IOException e) {
      throw stopped(new NotFinishedException(String.valueOf(e.getMessage()), List.of()));
    } catch (NotFinishedException e) {
      throw stopped(e);
    }
    return new ImportResult(input.count(), false);
  }

  private NotFinishedException stopped(NotFinishedException why) {
    return new NotFinishedException(
        why.getMessage()
            + " Store "
            + store
            + " takes no writes until the import has ended: run it again under its id ("
            + id
            + "), or give it up with --abort.",
        why.unsettled().isEmpty() ? List.of("all nodes") : why.unsettled());
  }

  /**
   * Makes the nodes that refuse writes take them again. Once a node that had not begun to import
   * takes writes again, no importer has sent tuples or ever will: sending requires that all nodes
   * have begun.
   */
  private NotFinishedException backOut(ImportState ticket, NotFinishedException why) {
    try {
      steps.all(ticket, ImportStep.GIVE_UP, "take writes again");
      return new NotFinishedException(
          why.getMessage() + " Nothing was imported; the store takes writes.", List.of());
    } catch (NotFinishedException e) {
      return new NotFinishedException(
          why.getMessage()
              + " Nothing was imported, but some nodes may go on refusing writes: "
              + e.getMessage()
              + " Give it up with --abort (id "
              + id
              + ") when they answer.",
          e.unsettled());
    }
  }

  private void finish(NodeAnswers answers, ImportState ticket) {
    List<Integer> left = running(answers, ticket);
    try {
      steps.step(left, ticket, ImportStep.LOCK, "come to rest");
      steps.step(left, ticket, ImportStep.OPEN, "take writes again");
    } catch (NotFinishedException e) {
      throw stopped(e);
    }
  }

  /**
   * Gives the import up. The tuples that it brought stay, and are at all replicas, if all nodes
   * answer.
   *
   * @param withoutSilent whether to go on when nodes do not answer; then no importer may be running
   *     any more
   * @return whether there was an import to give up
   * @throws NotFinishedException when silent nodes may go on refusing writes: call again when they
   *     answer
   */
  public boolean abort(boolean withoutSilent) {
    NodeAnswers answers = steps.states();
    if (!withoutSilent) {
      answers.requireAll();
    }
    Optional<ImportState> mine =
        answers.known().stream()
            .filter(state -> state.id().equals(id) && state.isRunning())
            .max(Comparator.comparingLong(ImportState::number));
    if (mine.isEmpty()) {
      return false;
    }
    giveUp(answers, mine.get());
    if (!answers.silent().isEmpty()) {
      throw new NotFinishedException(
          "The others take writes again. "
              + String.join(" ", answers.silent().values())
              + " It goes on refusing writes: give the import up again when it answers.",
          List.of());
    }
    return true;
  }

  private void giveUp(NodeAnswers answers, ImportState ticket) {
    if (running(answers, ticket).isEmpty()) {
      return;
    }
    // Until one has begun to import all are as they were; and all take part before one does.
    boolean imported =
        answers.silent().isEmpty()
            && running(answers, ticket).size() == answers.states().size()
            && !answers.known().stream().allMatch(state -> state.phase() == Phase.REFUSING);
    List<Integer> asked = List.copyOf(answers.states().keySet());
    steps.step(asked, ticket, ImportStep.END, "give the import up");
    // One that has taken writes again did so when all tuples were everywhere.
    if (imported && !isAny(steps.states(), ticket, Phase.DONE)) {
      steps.all(ticket, ImportStep.AGREE, "agree with the other replicas");
    }
    steps.step(asked, ticket, ImportStep.GIVE_UP, "take writes again");
  }
}
