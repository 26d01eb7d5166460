package io.braid.serving.chunk;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The name of a chunk's files, {@code <partition>_<replica>_<chunk>.data} and {@code .index}
 * (section 4.1).
 */
@API(status = API.Status.EXPERIMENTAL)
public record ChunkName(int partition, int replica, int chunk) implements Comparable<ChunkName> {
  private static final Pattern FILE =
      Pattern.compile("(0|[1-9]\\d{0,4})_(0|[1-9]\\d{0,2})_(0|[1-9]\\d{0,4})\\.(data|index)");

  public String data() {
    return this + ".data";
  }

  public String index() {
    return this + ".index";
  }

  /** The chunk a file belongs to; none when the file has another kind of name. */
  public static Optional<ChunkName> ofFile(String file) {
    Matcher matcher = FILE.matcher(file);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new ChunkName(
            Integer.parseInt(matcher.group(1)),
            Integer.parseInt(matcher.group(2)),
            Integer.parseInt(matcher.group(3))));
  }

  @Override
  public int compareTo(ChunkName other) {
    int order = Integer.compare(partition, other.partition);
    order = order != 0 ? order : Integer.compare(replica, other.replica);
    return order != 0 ? order : Integer.compare(chunk, other.chunk);
  }

  @Override
  public String toString() {
    return partition + "_" + replica + "_" + chunk;
  }
}
