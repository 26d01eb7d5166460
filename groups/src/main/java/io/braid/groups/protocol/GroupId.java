package io.braid.groups.protocol;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import org.apiguardian.api.API;

/**
 * The identity of a group: a number that is never used again, and the leader key (section 4.3).
 *
 * @param home the node whose log remembers the group
 * @param number unique at that node, for ever
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record GroupId(String home, long number, Row leader) implements Comparable<GroupId> {
  /** As people write it, for messages and commands. */
  public String text() {
    return home + "-" + number;
  }

  public void encode(Encoder to) {
    to.text(home).varint(number).row(leader);
  }

  public static GroupId decode(Decoder from) {
    return new GroupId(from.text(), from.varint(), from.row());
  }

  @Override
  public int compareTo(GroupId other) {
    int byHome = home.compareTo(other.home);
    return byHome != 0 ? byHome : Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return text();
  }
}
