package io.braid.cli.workload;

import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.cli.command.UsageException;
import io.braid.core.transaction.Protocol;
import io.braid.testkit.workload.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of a workload, the same for the command and the processes that it starts. */
final class WorkloadOptions {
  /** The workloads there are. */
  enum Kind {
    append,
    bank,
    scan
  }

  /** Where one-phase commit is used. */
  enum OnePhase {
    on("store"),
    off("off"),
    tablet("tablet"),
    /** Each of the others, in a run of its own. */
    all("");

    private final String setting;

    OnePhase(String setting) {
      this.setting = setting;
    }
  }

  /** Whose transactions work. */
  enum Path {
    percolator(Protocol.PERCOLATOR),
    /** The same as omid_ll. */
    omid(Protocol.OMID),
    /** Omid LL. */
    omid_ll(Protocol.OMID),
    /** Half of them by the fast path. */
    omid_fp(Protocol.OMID),
    /** Without a manager: in two phases always, as Omid's paper has it for comparison. */
    omid_2pc(Protocol.PERCOLATOR);

    final Protocol protocol;

    Path(Protocol protocol) {
      this.protocol = protocol;
    }

    @Override
    public String toString() {
      return name().replace('_', '-');
    }
  }

  /** How far a commit has come when it is acknowledged. */
  enum Durability {
    buffered,
    synced
  }

  @Parameters(
      index = "0",
      paramLabel = "KIND",
      description =
          "append: lists that are read and appended to; bank: transfers and sums; "
              + "scan: a set that is scanned while its members change.")
  Kind kind = Kind.append;

  @Option(
      names = "--clients",
      paramLabel = "C",
      description = "How many at once (default: ${DEFAULT-VALUE}).")
  int clients = 8;

  @Option(
      names = "--txns",
      paramLabel = "T",
      description = "How many transactions to commit (default: ${DEFAULT-VALUE}).")
  long transactions = 10_000;

  @Option(
      names = "--keys",
      paramLabel = "K",
      description = "How many lists, accounts or members there are (default: ${DEFAULT-VALUE}).")
  int keys = 100;

  @Option(
      names = "--tablets",
      paramLabel = "N",
      description = "How many tablets each table begins with (default: ${DEFAULT-VALUE}).")
  int tablets = 8;

  @Option(
      names = "--one-phase",
      paramLabel = "WHERE",
      description =
          "Commit in one step: on, off, only within a tablet, or a run of each with a history "
              + "of its own: ${COMPLETION-CANDIDATES} (default: as configured).")
  @Nullable OnePhase onePhase;

  @Option(
      names = "--durability",
      paramLabel = "HOW",
      description = "Of commits: ${COMPLETION-CANDIDATES} (default: as configured).")
  @Nullable Durability durability;

  @Option(
      names = "--protocol",
      paramLabel = "NAME",
      description =
          "Whose transactions: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); omid is"
              + " omid-ll; omid-fp is append, half of it by the fast path; omid-2pc is percolator"
              + " with two phases always.")
  Path protocol = Path.percolator;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Chooses what clients do (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  void check() {
    if (clients < 1 || transactions < 1 || keys < 1 || tablets < 1) {
      throw new UsageException("--clients, --txns, --keys and --tablets take numbers from 1 on.");
    }
    checkOnePhase();
    if (protocol == Path.omid_fp && kind != Kind.append) {
      throw new UsageException(
          "--protocol omid-fp goes with append only: that is judged by what may have happened in the"
              + " past.");
    }
  }

  private void checkOnePhase() {
    if (protocol == Path.omid_2pc && onePhase != null && onePhase != OnePhase.off) {
      throw new UsageException("--protocol omid-2pc has no commits in one phase.");
    }
  }

  Workload workload() {
    return protocol == Path.omid_fp
        ? Workload.fastAppend(keys, tablets)
        : Workload.of(kind.name(), keys, tablets);
  }

  BraidConfig configure(BraidConfig config) {
    BraidConfig changed = config;
    for (Map.Entry<String, String> each : settings().entrySet()) {
      changed = changed.with(each.getKey(), each.getValue());
    }
    return changed;
  }

  /** Returns the settings of the database that these options set: keys and their values. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    if (protocol == Path.omid_2pc) {
      settings.put(Setting.ONE_PHASE.key(), OnePhase.off.setting);
    }
    if (onePhase != null) {
      settings.put(Setting.ONE_PHASE.key(), onePhase.setting);
    }
    if (durability != null) {
      settings.put(Setting.DURABILITY.key(), durability.name());
    }
    return settings;
  }

  /** These options as they are typed. */
  List<String> arguments(long wanted) {
    List<String> arguments = new ArrayList<>();
    arguments.add(kind.name());
    arguments.addAll(List.of("--clients", String.valueOf(clients)));
    arguments.addAll(List.of("--txns", String.valueOf(wanted)));
    arguments.addAll(List.of("--keys", String.valueOf(keys)));
    arguments.addAll(List.of("--tablets", String.valueOf(tablets)));
    arguments.addAll(List.of("--seed", String.valueOf(seed)));
    arguments.addAll(List.of("--protocol", protocol.toString()));
    if (onePhase != null) {
      arguments.addAll(List.of("--one-phase", onePhase.name()));
    }
    if (durability != null) {
      arguments.addAll(List.of("--durability", durability.name()));
    }
    return arguments;
  }
}
