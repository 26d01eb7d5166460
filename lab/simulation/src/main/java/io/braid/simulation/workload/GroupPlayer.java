package io.braid.simulation.workload;

import io.braid.core.data.Row;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.groups.Group;
import io.braid.groups.GroupCreationException;
import io.braid.groups.GroupException;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupTransaction;
import io.braid.groups.Groups;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.workload.GroupJournal.Deed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The work of the clients of group nodes. Clients create groups of rows that others want too, and
 * play some turns in them. They play along in groups of others, and hand groups over, delete them
 * or leave them to expire. They also write to rows and look at all rows from outside.
 */
public final class GroupPlayer {
  private static final int MOST_MEMBERS = 5;
  private static final int MOST_TURNS = 6;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofSeconds(2);

  private final GroupJournal journal;
  private final int keys;
  private final Supplier<List<String>> nodeNames;
  private final List<String> running = new ArrayList<>();

  /**
   * @param keys how many rows there are
   * @param nodeNames the nodes that groups can be handed to
   */
  public GroupPlayer(GroupJournal journal, int keys, Supplier<List<String>> nodeNames) {
    this.journal = journal;
    this.keys = keys;
    this.nodeNames = nodeNames;
  }

  /** Gives every row its chips. */
  public void prepare(Client client) {
    boolean done = false;
    while (!done) {
      try (var tx = client.transactions().begin()) {
        GroupJournal.rows(keys)
            .forEach(row -> tx.set(row, GroupJournal.CHIPS, GroupJournal.FIRST_CHIPS));
        tx.commit();
        done = true;
      } catch (TransactionException | StoreException | TimestampUnavailableException e) {
        client.seams().sleep(PAUSE);
      }
    }
  }

  /** A last look, however often that has to be tried. */
  public GroupJournal.Look audit(Client client) {
    while (true) {
      try (Snapshot now = client.transactions().snapshot()) {
        GroupJournal.Look end = look(journal.now(), now, keys);
        journal.looked(end);
        return end;
      } catch (TransactionException | StoreException | TimestampUnavailableException e) {
        client.seams().sleep(PAUSE);
      }
    }
  }

  /** Something a client does from beginning to end. */
  public void step(Client client, Groups groups) {
    int kind = client.random().nextInt(13);
    if (kind < 6) {
      game(client, groups);
    } else if (kind < 9) {
      visit(client, groups);
    } else if (kind < 10) {
      write(client);
    } else if (kind < 11) {
      ask(client, groups);
    } else {
      look(client);
    }
  }

  // In groups.

  private void game(Client client, Groups groups) {
    SimRandom random = client.random();
    List<Integer> chosen = choose(random, 1 + random.nextInt(MOST_MEMBERS));
    String name = "g" + journal.newName();
    GroupRequest request =
        GroupRequest.of(chosen.stream().map(GroupJournal::row).toList()).named(name);
    Group group;
    try {
      group = groups.create(random.nextBoolean() ? request : request.bestEffort());
      journal.count("groups-ok");
    } catch (GroupCreationException e) {
      journal.count("groups-fail");
      return;
    } catch (GroupException | StoreException | IllegalStateException e) {
      // It may be there: then it expires.
      journal.count("groups-info");
      return;
    }
    running.add(name);
    int turns = random.nextInt(MOST_TURNS);
    for (int i = 0; i < turns; i++) {
      turn(client, group, random.nextInt(4) > 0);
      between(client, groups, group);
    }
    leave(random, groups, group);
  }

  /** Plays along in a group that another client has created, or only watches the group. */
  private void visit(Client client, Groups groups) {
    if (running.isEmpty()) {
      return;
    }
    SimRandom random = client.random();
    String name = running.get(random.nextInt(running.size()));
    Group group;
    try {
      group = groups.open(name);
      journal.count("visits-ok");
    } catch (GroupException | StoreException | IllegalStateException e) {
      running.remove(name);
      journal.count("visits-fail");
      return;
    }
    boolean watches = random.nextBoolean();
    int turns = 1 + random.nextInt(MOST_TURNS);
    for (int i = 0; i < turns; i++) {
      turn(client, group, !watches && random.nextInt(4) > 0);
      dawdle(client);
    }
    group.detach();
  }

  private void turn(Client client, Group group, boolean writes) {
    SimRandom random = client.random();
    List<Integer> members = group.members().stream().map(GroupJournal::key).sorted().toList();
    Deed deed = journal.begin(group.name());
    try (GroupTransaction tx = group.begin()) {
      Set<Integer> wanted = new LinkedHashSet<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        wanted.add(members.get(random.nextInt(members.size())));
      }
      for (int key : wanted) {
        Row row = GroupJournal.row(key);
        String list = read(random, tx, row);
        deed.read.put(key, list);
        dawdle(client);
        if (writes && (deed.appended.isEmpty() || random.nextBoolean())) {
          deed.appended.add(key);
          tx.set(row, GroupJournal.LIST, GroupJournal.with(list, deed.number));
        }
      }
      if (writes) {
        move(random, tx, members);
      }
      deed.committed(tx.commit());
    } catch (GroupOutcomeUnknownException e) {
      deed.unknown();
    } catch (ConflictException e) {
      journal.count("conflicts");
      deed.failed();
    } catch (GroupException | StoreException | IllegalStateException e) {
      deed.failed();
    }
  }

  private static String read(SimRandom random, GroupTransaction tx, Row row) {
    if (random.nextInt(3) == 0) {
      RowValues values = tx.getRow(row, GroupJournal.FAMILY);
      return values.get(GroupJournal.LIST).orElse("");
    }
    return tx.get(row, GroupJournal.LIST).orElse("");
  }

  private static void move(SimRandom random, GroupTransaction tx, List<Integer> members) {
    Row from = GroupJournal.row(members.get(random.nextInt(members.size())));
    Row to = GroupJournal.row(members.get(random.nextInt(members.size())));
    long amount = random.nextInt(10);
    tx.set(from, GroupJournal.CHIPS, tx.get(from, GroupJournal.CHIPS).orElse(0L) - amount);
    tx.set(to, GroupJournal.CHIPS, tx.get(to, GroupJournal.CHIPS).orElse(0L) + amount);
  }

  private static void dawdle(Client client) {
    if (client.random().chance(0.02)) {
      client.seams().sleep(Duration.ofNanos(client.random().around(LONG.toNanos())));
    }
  }

  private void between(Client client, Groups groups, Group group) {
    SimRandom random = client.random();
    dawdle(client);
    try {
      int kind = random.nextInt(16);
      if (kind == 0) {
        long asked = journal.now();
        group.ship();
        journal.shipped(group.name(), asked);
      } else if (kind == 1) {
        List<String> names = nodeNames.get();
        groups.handOver(group.name(), names.get(random.nextInt(names.size())));
        journal.count("handed-over");
      }
    } catch (GroupException | StoreException | IllegalStateException e) {
      journal.count("refused");
    }
  }

  private void leave(SimRandom random, Groups groups, Group group) {
    long asked = journal.now();
    try {
      int kind = random.nextInt(6);
      if (kind == 0) {
        group.detach();
        return;
      }
      running.remove(group.name());
      if (kind == 1) {
        group.detach();
        groups.delete(group.name());
      } else {
        group.close();
      }
      journal.shipped(group.name(), asked);
      journal.count("deleted");
    } catch (GroupException | StoreException | IllegalStateException e) {
      journal.count("refused");
    }
  }

  // From outside.

  /** Appends to a row, unless a group holds it. */
  private void write(Client client) {
    int key = client.random().nextInt(keys);
    Row row = GroupJournal.row(key);
    Deed deed = journal.begin("");
    try (Transaction tx = client.transactions().begin()) {
      String list = tx.get(row, GroupJournal.LIST).orElse("");
      deed.read.put(key, list);
      dawdle(client);
      deed.appended.add(key);
      tx.set(row, GroupJournal.LIST, GroupJournal.with(list, deed.number));
      deed.committed(tx.commit());
    } catch (CommitOutcomeUnknownException e) {
      deed.unknown();
    } catch (KeyHeldByGroupException e) {
      journal.count("held");
      deed.failed();
    } catch (TransactionException | StoreException | TimestampUnavailableException e) {
      deed.failed();
    }
  }

  /** Asks for the newest value, from the place that has it. */
  private void ask(Client client, Groups groups) {
    int key = client.random().nextInt(keys);
    Deed deed = journal.begin("");
    try {
      deed.read.put(key, groups.latest(GroupJournal.row(key), GroupJournal.LIST).orElse(""));
      deed.committed(0);
    } catch (GroupException | StoreException | IllegalStateException e) {
      deed.failed();
    }
  }

  private void look(Client client) {
    long start = journal.now();
    try (Snapshot now = client.transactions().snapshot()) {
      dawdle(client);
      GroupJournal.Look look = look(start, now, keys);
      journal.looked(look);
    } catch (TransactionException | StoreException | TimestampUnavailableException e) {
      journal.count("looks-fail");
    }
  }

  /** All rows of a snapshot. */
  static GroupJournal.Look look(long start, Snapshot snapshot, int keys) {
    Map<Integer, String> lists = new LinkedHashMap<>();
    long chips = 0;
    for (int key = 0; key < keys; key++) {
      Row row = GroupJournal.row(key);
      lists.put(key, snapshot.get(row, GroupJournal.LIST).orElse(""));
      chips += snapshot.get(row, GroupJournal.CHIPS).orElse(0L);
    }
    return new GroupJournal.Look(start, lists, chips);
  }

  private List<Integer> choose(SimRandom random, int size) {
    Set<Integer> chosen = new LinkedHashSet<>();
    while (chosen.size() < Math.min(size, keys)) {
      chosen.add(random.nextInt(keys));
    }
    return new ArrayList<>(chosen);
  }
}
