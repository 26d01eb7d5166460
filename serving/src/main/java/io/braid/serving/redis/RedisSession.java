package io.braid.serving.redis;

import io.braid.core.data.Bytes;
import io.braid.http.AnswerMemory;
import io.braid.http.HttpRefusal;
import io.braid.serving.ServingException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.client.ValuesTooLongException;
import io.braid.serving.net.HttpReads;
import io.braid.serving.net.NodeService;
import io.braid.serving.net.RoutedReads;
import io.braid.serving.node.Lease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One connection of the Redis protocol: reads only. A database number that a store was given
 * selects it; otherwise a key is written as {@code store:key}. Everything else is refused in the
 * words that Redis has for it, since clients know those.
 */
final class RedisSession {
  private static final Set<String> WRITES =
      Set.of(
          "SET",
          "SETEX",
          "PSETEX",
          "SETNX",
          "GETSET",
          "GETDEL",
          "GETEX",
          "APPEND",
          "INCR",
          "DECR",
          "INCRBY",
          "DECRBY",
          "INCRBYFLOAT",
          "MSET",
          "MSETNX",
          "SETRANGE",
          "DEL",
          "UNLINK",
          "EXPIRE",
          "PEXPIRE",
          "EXPIREAT",
          "PERSIST",
          "RENAME",
          "RENAMENX",
          "COPY",
          "MOVE",
          "RESTORE",
          "HSET",
          "HSETNX",
          "HMSET",
          "HDEL",
          "HINCRBY",
          "LPUSH",
          "RPUSH",
          "LPOP",
          "RPOP",
          "LSET",
          "SADD",
          "SREM",
          "SPOP",
          "ZADD",
          "ZREM",
          "ZINCRBY",
          "XADD",
          "XDEL",
          "PFADD",
          "FLUSHDB",
          "FLUSHALL",
          "SWAPDB",
          "SETBIT",
          "BITOP",
          "GEOADD",
          "EVAL",
          "EVALSHA",
          "FUNCTION");

  /** The least and the most words of a command. */
  private record WordCount(int least, int most) {}

  private static final Map<String, WordCount> OFFERED =
      Map.ofEntries(
          Map.entry("GET", new WordCount(2, 2)),
          Map.entry("MGET", new WordCount(2, RespReader.MOST_WORDS)),
          Map.entry("EXISTS", new WordCount(2, RespReader.MOST_WORDS)),
          Map.entry("SELECT", new WordCount(2, 2)),
          Map.entry("PING", new WordCount(1, 2)),
          Map.entry("ECHO", new WordCount(2, 2)),
          Map.entry("HELLO", new WordCount(1, 9)),
          Map.entry("AUTH", new WordCount(2, 3)),
          Map.entry("CLIENT", new WordCount(2, RespReader.MOST_WORDS)),
          Map.entry("CLUSTER", new WordCount(2, RespReader.MOST_WORDS)),
          Map.entry("READONLY", new WordCount(1, 1)),
          Map.entry("READWRITE", new WordCount(1, 1)),
          Map.entry("ASKING", new WordCount(1, 1)),
          Map.entry("COMMAND", new WordCount(1, RespReader.MOST_WORDS)),
          Map.entry("INFO", new WordCount(1, RespReader.MOST_WORDS)),
          Map.entry("MULTI", new WordCount(1, 1)),
          Map.entry("EXEC", new WordCount(1, 1)),
          Map.entry("DISCARD", new WordCount(1, 1)),
          Map.entry("WATCH", new WordCount(2, RespReader.MOST_WORDS)),
          Map.entry("UNWATCH", new WordCount(1, 1)),
          Map.entry("RESET", new WordCount(1, 1)),
          Map.entry("QUIT", new WordCount(1, RespReader.MOST_WORDS)));

  /** Commands that a transaction runs at once, while other commands wait. */
  private static final Set<String> AT_ONCE = Set.of("EXEC", "DISCARD", "MULTI", "WATCH", "RESET");

  private static final String NO_CLUSTER = "ERR This instance has cluster support disabled";
  private static final String WRONG_PASSWORD =
      "WRONGPASS invalid username-password pair or user is disabled.";

  private final NodeService service;
  private final RoutedReads routed;
  private final Map<Integer, String> databases;
  private final RedisAccess access;
  private final RespWriter out;
  private final RedisClientVerb client;
  private final Map<String, Long> watched = new TreeMap<>();
  private int database;
  private @Nullable Predicate<String> mayRead; // stores; null: the client has not said who it is
  private @Nullable List<List<byte[]>> queue;
  private int queued;
  private boolean spoiled;
  private @Nullable RedisRead together;

  /**
   * @param number of the connection
   */
  RedisSession(
      NodeService service,
      RoutedReads routed,
      Map<Integer, String> databases,
      RedisAccess access,
      RespWriter out,
      long number) {
    this.service = service;
    this.routed = routed;
    this.databases = databases;
    this.access = access;
    this.out = out;
    this.client = new RedisClientVerb(out, number);
    this.mayRead = unnamed();
  }

  /** Whether the client has given the password, if there is one. */
  boolean isKnown() {
    return mayRead != null;
  }

  /** Whether commands wait for EXEC. */
  boolean isQueueing() {
    return queue != null;
  }

  /** Answers a command; false when the connection is to end. */
  boolean answer(List<byte[]> command) throws IOException {
    if (command.isEmpty()) {
      return true;
    }
    String verb = text(command.get(0)).toUpperCase(Locale.ROOT);
    if (verb.equals("POST") || verb.equals("HOST:")) {
      // A web page speaks HTTP to this port; what follows are its words, and not a client's.
      return false;
    }
    if (verb.equals("QUIT")) {
      out.simple("OK");
      return false;
    }
    String refusal = refusal(verb, command);
    List<List<byte[]>> waiting = queue;
    if (refusal != null) {
      spoiled |= waiting != null;
      out.error(refusal);
    } else if (waiting != null && !AT_ONCE.contains(verb)) {
      queued += command.size();
      if (queued > RespReader.MOST_WORDS) {
        spoiled = true;
        out.error("ERR a transaction has at most " + RespReader.MOST_WORDS + " words");
      } else {
        waiting.add(command);
        out.simple("QUEUED");
      }
    } else {
      attempt(verb, command);
    }
    return true;
  }

  /** Why a command is not even looked at; null when it is. */
  private @Nullable String refusal(String verb, List<byte[]> command) {
    if (mayRead == null && !verb.equals("AUTH") && !verb.equals("HELLO") && !verb.equals("RESET")) {
      return "NOAUTH Authentication required.";
    }
    WordCount words = OFFERED.get(verb);
    if (words == null) {
      return WRITES.contains(verb)
          ? "READONLY Stores are read-only here; build a new version and swap it in."
          : unknown(command);
    }
    if (command.size() < words.least || command.size() > words.most) {
      return "ERR wrong number of arguments for '" + verb.toLowerCase(Locale.ROOT) + "' command";
    }
    return null;
  }

  private static String unknown(List<byte[]> command) {
    StringBuilder text =
        new StringBuilder("ERR unknown command '" + shortened(command.get(0)) + "'");
    text.append(", with args beginning with: ");
    for (byte[] word : command.subList(1, Math.min(command.size(), 4))) {
      text.append("'").append(shortened(word)).append("' ");
    }
    return text.toString();
  }

  private static String shortened(byte[] word) {
    return text(Arrays.copyOf(word, Math.min(word.length, 64)));
  }

  private void attempt(String verb, List<byte[]> command) throws IOException {
    try {
      run(verb, command);
    } catch (StoreUnavailableException e) {
      out.error("TRYAGAIN " + e.getMessage());
    } catch (ServingException e) {
      out.error(prefix(e) + " " + e.getMessage());
    } catch (HttpRefusal e) {
      out.error((e.status() == 403 ? "NOPERM " : "ERR ") + e.getMessage());
    } catch (IllegalArgumentException e) {
      out.error("ERR " + e.getMessage());
    }
  }

  private static String prefix(ServingException refusal) {
    return switch (refusal.code()) {
      case STORE_BEHIND -> "TRYAGAIN";
      case DAMAGED -> "CORRUPT";
      case NO_SUCH_STORE, NOTHING_LIVE, WRONG_NODE -> "ERR";
      default -> throw refusal;
    };
  }

  private void run(String verb, List<byte[]> command) throws IOException {
    List<byte[]> words = command.subList(1, command.size());
    switch (verb) {
      case "GET" -> get(words.get(0));
      case "MGET" -> getAll(words);
      case "EXISTS" -> out.number(values(words).stream().filter(Optional::isPresent).count());
      case "SELECT" -> {
        database = database(text(words.get(0)));
        out.simple("OK");
      }
      case "PING" -> {
        if (words.isEmpty()) {
          out.simple("PONG");
        } else {
          out.bulk(ByteBuffer.wrap(words.get(0)));
        }
      }
      case "ECHO" -> out.bulk(ByteBuffer.wrap(words.get(0)));
      case "HELLO" -> hello(words);
      case "AUTH" -> auth(words);
      case "CLIENT" -> client.answer(words);
      case "COMMAND" -> commands(words);
      case "INFO" -> out.bulk(info());
      case "CLUSTER", "READONLY", "READWRITE", "ASKING" -> out.error(NO_CLUSTER);
      case "MULTI" -> begin();
      case "EXEC" -> execute();
      case "DISCARD" -> discard();
      case "WATCH" -> watch(words);
      case "UNWATCH" -> {
        watched.clear();
        out.simple("OK");
      }
      default -> reset();
    }
  }

  private void commands(List<byte[]> words) throws IOException {
    if (words.isEmpty() || text(words.get(0)).toUpperCase(Locale.ROOT).matches("DOCS|INFO|LIST")) {
      out.array(0);
    } else if (text(words.get(0)).equalsIgnoreCase("COUNT")) {
      out.number(OFFERED.size());
    } else {
      out.error(RedisClientVerb.unknown("COMMAND", words.get(0)));
    }
  }

  private void begin() throws IOException {
    if (queue != null) {
      out.error("ERR MULTI calls can not be nested");
    } else {
      queue = new ArrayList<>();
      queued = 0;
      spoiled = false;
      out.simple("OK");
    }
  }

  private void discard() throws IOException {
    if (queue == null) {
      out.error("ERR DISCARD without MULTI");
    } else {
      queue = null;
      watched.clear();
      out.simple("OK");
    }
  }

  /** A version that goes live counts as a write of all keys of its store. */
  private void watch(List<byte[]> words) throws IOException {
    if (queue != null) {
      out.error("ERR WATCH inside MULTI is not allowed");
      return;
    }
    for (byte[] word : words) {
      String store = target(word, database).store();
      watched.putIfAbsent(store, service.store(store).version());
    }
    out.simple("OK");
  }

  private void execute() throws IOException {
    List<List<byte[]>> waiting = queue;
    if (waiting == null) {
      out.error("ERR EXEC without MULTI");
      return;
    }
    queue = null;
    boolean changed =
        watched.entrySet().stream().anyMatch(w -> service.live(w.getKey()) != w.getValue());
    watched.clear();
    if (spoiled) {
      out.error("EXECABORT Transaction discarded because of previous errors.");
    } else if (changed) {
      out.noArray();
    } else {
      together = new RedisRead(routed, targets(waiting));
      try {
        out.array(waiting.size());
        for (List<byte[]> command : waiting) {
          attempt(text(command.get(0)).toUpperCase(Locale.ROOT), command);
        }
      } finally {
        together = null;
      }
    }
  }

  /** All that a transaction reads: of each store in one version. */
  private List<RedisRead.Target> targets(List<List<byte[]>> waiting) {
    List<RedisRead.Target> targets = new ArrayList<>();
    int selected = database;
    for (List<byte[]> command : waiting) {
      List<byte[]> words = command.subList(1, command.size());
      try {
        switch (text(command.get(0)).toUpperCase(Locale.ROOT)) {
          case "SELECT" -> selected = database(text(words.get(0)));
          case "GET", "MGET", "EXISTS" -> {
            for (byte[] word : words) {
              targets.add(target(word, selected));
            }
          }
          default -> {}
        }
      } catch (IllegalArgumentException e) {
        // Its own answer says so.
        continue;
      }
    }
    return targets;
  }

  private void reset() throws IOException {
    queue = null;
    watched.clear();
    database = 0;
    mayRead = unnamed();
    out.useThird(false);
    out.simple("RESET");
  }

  private RedisRead.Target target(byte[] word, int selected) {
    RedisRead.Target target = placed(word, selected);
    if (!isReadable(target.store())) {
      throw new HttpRefusal(
          403, "forbidden", "User has no permissions to read store '" + target.store() + "'");
    }
    return target;
  }

  private RedisRead.Target placed(byte[] word, int selected) {
    String store = databases.get(selected);
    if (store != null) {
      return new RedisRead.Target(store, Bytes.wrap(word));
    }
    for (int i = 0; i < word.length; i++) {
      if (word[i] == ':') {
        return new RedisRead.Target(
            text(Arrays.copyOf(word, i)), Bytes.wrap(Arrays.copyOfRange(word, i + 1, word.length)));
      }
    }
    throw new IllegalArgumentException(
        "database " + selected + " is no store; write the key as store:key");
  }

  private void get(byte[] word) throws IOException {
    RedisRead.Target target = target(word, database);
    if (together != null) {
      out.bulk(together.value(target).map(Bytes::toBuffer).orElse(null));
      return;
    }
    byte[] key = target.key().toArray();
    try (Lease lease = service.readable(target.store()).lease()) {
      out.bulk(AnswerMemory.gathering(() -> lease.view(key, 0, key.length)));
    } catch (ServingException e) {
      if (!RoutedReads.isElsewhere(e)) {
        throw e;
      }
      Optional<Bytes> value = routed.get(target.store(), target.key());
      out.bulk(value.map(Bytes::toBuffer).orElse(null));
    }
  }

  /** Every store that is asked is read in one version. */
  private void getAll(List<byte[]> words) throws IOException {
    List<Optional<Bytes>> values = values(words);
    long bytes = values.stream().mapToLong(each -> each.map(Bytes::length).orElse(0)).sum();
    if (bytes > HttpReads.MOST_BYTES) {
      // As when a key is repeated, which is read once.
      throw new ValuesTooLongException(
          "The values of these keys have more than "
              + HttpReads.MOST_BYTES
              + " bytes: ask for fewer keys.");
    }
    out.array(values.size());
    for (Optional<Bytes> value : values) {
      out.bulk(value.map(Bytes::toBuffer).orElse(null));
    }
  }

  private List<Optional<Bytes>> values(List<byte[]> words) throws IOException {
    List<RedisRead.Target> targets = words.stream().map(word -> target(word, database)).toList();
    RedisRead read = together == null ? new RedisRead(routed, targets) : together;
    try {
      return targets.stream().map(read::value).toList();
    } catch (UncheckedIOException e) {
      throw new IOException(e);
    }
  }

  private int database(String number) {
    if (!number.matches("\\d{1,9}")) {
      throw new IllegalArgumentException("value is not an integer or out of range");
    }
    int index = Integer.parseInt(number);
    if (index != 0 && !databases.containsKey(index)) {
      throw new IllegalArgumentException("DB index is out of range");
    }
    return index;
  }

  private void hello(List<byte[]> words) throws IOException {
    boolean third = out.third();
    int at = 0;
    if (!words.isEmpty()) {
      String version = text(words.get(at++));
      if (!version.matches("\\d{1,9}")) {
        out.error("ERR Protocol version is not an integer or out of range");
        return;
      }
      if (!version.equals("2") && !version.equals("3")) {
        out.error("NOPROTO unsupported protocol version");
        return;
      }
      third = version.equals("3");
    }
    Predicate<String> admitted = mayRead;
    byte[] name = null;
    while (at < words.size()) {
      String option = text(words.get(at)).toUpperCase(Locale.ROOT);
      if (option.equals("AUTH") && at + 2 < words.size()) {
        admitted = access.admit(text(words.get(at + 1)), text(words.get(at + 2))).orElse(null);
        if (admitted == null) {
          out.error(WRONG_PASSWORD);
          return;
        }
        at += 3;
      } else if (option.equals("SETNAME") && at + 1 < words.size()) {
        name = words.get(at + 1);
        at += 2;
      } else {
        out.error("ERR Syntax error in HELLO option '" + shortened(words.get(at)) + "'");
        return;
      }
    }
    if (admitted == null) {
      out.error(
          "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO"
              + " <proto> AUTH <user> <pass> option can be used to authenticate the client and"
              + " select the RESP protocol version at the same time");
      return;
    }
    if (name != null && !client.name(name)) {
      return;
    }
    mayRead = admitted;
    out.useThird(third);
    greet();
  }

  private void greet() throws IOException {
    out.map(6);
    out.bulk("server");
    out.bulk("braid");
    out.bulk("proto");
    out.number(out.third() ? 3 : 2);
    out.bulk("id");
    out.number(client.number());
    out.bulk("mode");
    out.bulk("standalone");
    out.bulk("role");
    out.bulk("replica");
    out.bulk("modules");
    out.array(0);
  }

  private void auth(List<byte[]> words) throws IOException {
    boolean named = words.size() == 2;
    if (!named && !access.demandsPassword()) {
      out.error(
          "ERR AUTH <password> called without any password configured for the default user. Are"
              + " you sure your configuration is correct?");
      return;
    }
    String user = named ? text(words.get(0)) : RedisAccess.DEFAULT_USER;
    Predicate<String> admitted = access.admit(user, text(words.get(words.size() - 1))).orElse(null);
    if (admitted == null) {
      out.error(WRONG_PASSWORD);
    } else {
      mayRead = admitted;
      out.simple("OK");
    }
  }

  /** Stores that a client without a name may read; null if clients must authenticate. */
  private @Nullable Predicate<String> unnamed() {
    return access.demandsPassword()
        ? null
        : access.admit(RedisAccess.DEFAULT_USER, "").orElse(null);
  }

  private boolean isReadable(String store) {
    return mayRead != null && mayRead.test(store);
  }

  private String info() {
    StringBuilder text =
        new StringBuilder("# Server\r\nserver:braid\r\nrole:replica\r\n# Stores\r\n");
    for (String store : service.stores().stream().filter(this::isReadable).toList()) {
      text.append(store).append(":version=").append(service.store(store).version()).append("\r\n");
    }
    return text.toString();
  }

  private static String text(byte[] word) {
    return new String(word, StandardCharsets.UTF_8);
  }
}
