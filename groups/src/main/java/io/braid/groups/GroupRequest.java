package io.braid.groups;

import io.braid.core.data.Row;
import io.braid.groups.protocol.Mode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Which group to create. Keys may lie in any tables; the first one is the leader key unless another
 * is named.
 *
 * <pre>{@code
 * Group cart = db.group(GroupRequest.of(rows).named("cart-17").bestEffort());
 * }</pre>
 *
 * @param name the name of the group for users; null for a generated name
 * @param joined receives keys as they join, in batches
 */
@API(status = API.Status.STABLE)
public record GroupRequest(
    @Nullable String name, Row leader, List<Row> keys, Mode mode, Consumer<List<Row>> joined) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  public GroupRequest {
    keys = List.copyOf(keys);
    if (name != null && !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name for a group: use up to 64 letters, digits, '.', '_' and '-'.");
    }
    if (!keys.contains(leader)) {
      throw new IllegalArgumentException(
          "The leader key " + leader + " is not among the keys of the group: add it.");
    }
  }

  /**
   * All of these keys, or none; one that comes twice counts once.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static GroupRequest of(Collection<Row> keys) {
    List<Row> distinct = new ArrayList<>(new LinkedHashSet<>(keys));
    if (distinct.isEmpty()) {
      throw new IllegalArgumentException("A group needs at least one key.");
    }
    return new GroupRequest(null, distinct.get(0), distinct, Mode.ATOMIC, joined -> {});
  }

  /** With a name: up to 64 letters, digits, '.', '_' and '-'. */
  public GroupRequest named(String value) {
    return new GroupRequest(value, leader, keys, mode, joined);
  }

  /** With another leader key, which is one of the keys. */
  public GroupRequest ledBy(Row key) {
    return new GroupRequest(name, key, keys, mode, joined);
  }

  /**
   * Joins only those keys that are available; the answer names the others. The leader key must
   * join.
   */
  public GroupRequest bestEffort() {
    return new GroupRequest(name, leader, keys, Mode.BEST_EFFORT, joined);
  }

  /** Tells a listener of keys as they join, in batches. */
  public GroupRequest onJoined(Consumer<List<Row>> listener) {
    return new GroupRequest(name, leader, keys, mode, listener);
  }
}
