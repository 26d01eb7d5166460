package io.braid.serving.net;

import io.braid.core.data.Bytes;
import io.braid.http.HttpRefusal;
import io.braid.serving.chunk.CorruptChunkException;
import io.braid.serving.client.NoSuchStoreException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.node.Lease;
import io.braid.serving.node.NotHeldException;
import io.braid.serving.node.NothingLiveException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One connection of the Redis protocol: reads only. A database number that a store was given
 * selects it; otherwise a key is written as {@code store:key}.
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

  private final NodeService service;
  private final RoutedReads routed;
  private final Map<Integer, String> databases;
  private final String token;
  private final RespWriter out;
  private int database;
  private boolean known;

  RedisSession(
      NodeService service,
      RoutedReads routed,
      Map<Integer, String> databases,
      String token,
      RespWriter out) {
    this.service = service;
    this.routed = routed;
    this.databases = databases;
    this.token = token;
    this.out = out;
    this.known = token.isEmpty();
  }

  /** Answers a command; false when the connection is to end. */
  boolean answer(List<byte[]> command) throws IOException {
    if (command.isEmpty()) {
      return true;
    }
    String verb = text(command.get(0)).toUpperCase(Locale.ROOT);
    if (verb.equals("QUIT")) {
      out.simple("OK");
      return false;
    }
    try {
      if (!known && !verb.equals("AUTH") && !verb.equals("HELLO")) {
        out.error("NOAUTH Authentication required.");
      } else {
        run(verb, command);
      }
    } catch (StoreUnavailableException | StoreBehindException e) {
      out.error("TRYAGAIN " + e.getMessage());
    } catch (UnknownStoreException
        | NoSuchStoreException
        | NothingLiveException
        | HttpRefusal
        | IllegalArgumentException e) {
      out.error("ERR " + e.getMessage());
    } catch (NotHeldException e) {
      out.error("MOVED " + e.getMessage());
    } catch (CorruptChunkException e) {
      out.error("CORRUPT " + e.getMessage());
    }
    return true;
  }

  private void run(String verb, List<byte[]> command) throws IOException {
    switch (verb) {
      case "GET" -> {
        if (arity(verb, command, 2, 2)) {
          get(command.get(1));
        }
      }
      case "MGET" -> {
        if (arity(verb, command, 2, RespReader.MOST_WORDS)) {
          getAll(command.subList(1, command.size()));
        }
      }
      case "EXISTS" -> {
        if (arity(verb, command, 2, RespReader.MOST_WORDS)) {
          exists(command.subList(1, command.size()));
        }
      }
      case "SELECT" -> {
        if (arity(verb, command, 2, 2)) {
          select(text(command.get(1)));
        }
      }
      case "PING" -> {
        if (command.size() > 1) {
          out.bulk(ByteBuffer.wrap(command.get(1)));
        } else {
          out.simple("PONG");
        }
      }
      case "ECHO" -> {
        if (arity(verb, command, 2, 2)) {
          out.bulk(ByteBuffer.wrap(command.get(1)));
        }
      }
      case "HELLO" -> hello(command);
      case "AUTH" -> {
        if (arity(verb, command, 2, 3)) {
          auth(command.get(command.size() - 1));
        }
      }
      case "CLIENT" -> out.simple("OK");
      case "COMMAND" -> out.array(0);
      case "INFO" -> out.bulk(info());
      default ->
          out.error(
              WRITES.contains(verb)
                  ? "READONLY Stores are read-only here; build a new version and swap it in."
                  : "ERR unknown command '" + verb + "'");
    }
  }

  private boolean arity(String verb, List<byte[]> command, int least, int most) throws IOException {
    boolean right = command.size() >= least && command.size() <= most;
    if (!right) {
      out.error("ERR wrong number of arguments for '" + verb.toLowerCase(Locale.ROOT) + "'");
    }
    return right;
  }

  /** A key, and the store it is of. */
  private static final class Target {
    private final String store;
    private final byte[] key;

    Target(String store, byte[] key) {
      this.store = store;
      this.key = key;
    }
  }

  private Target target(byte[] word) {
    String store = databases.get(database);
    if (store != null) {
      return new Target(store, word);
    }
    for (int i = 0; i < word.length; i++) {
      if (word[i] == ':') {
        return new Target(
            text(Arrays.copyOf(word, i)), Arrays.copyOfRange(word, i + 1, word.length));
      }
    }
    throw new IllegalArgumentException(
        "database " + database + " is no store; write the key as store:key");
  }

  private void get(byte[] word) throws IOException {
    Target target = target(word);
    try (Lease lease = service.readable(target.store).lease()) {
      out.bulk(lease.view(target.key, 0, target.key.length));
    } catch (NotHeldException | UnknownStoreException | StoreBehindException e) {
      Optional<Bytes> value = routed.get(target.store, Bytes.wrap(target.key));
      out.bulk(value.map(Bytes::toBuffer).orElse(null));
    }
  }

  /** Every store that is asked is read in one version. */
  private void getAll(List<byte[]> words) throws IOException {
    List<Optional<Bytes>> values = values(words);
    out.array(values.size());
    for (Optional<Bytes> value : values) {
      out.bulk(value.map(Bytes::toBuffer).orElse(null));
    }
  }

  private List<Optional<Bytes>> values(List<byte[]> words) throws IOException {
    Map<String, Map<Integer, Bytes>> byStore = new TreeMap<>();
    for (int i = 0; i < words.size(); i++) {
      Target target = target(words.get(i));
      byStore
          .computeIfAbsent(target.store, store -> new TreeMap<>())
          .put(i, Bytes.wrap(target.key));
    }
    List<Optional<Bytes>> values =
        new ArrayList<>(Collections.nCopies(words.size(), Optional.empty()));
    for (Map.Entry<String, Map<Integer, Bytes>> store : byStore.entrySet()) {
      List<Bytes> keys = List.copyOf(store.getValue().values());
      Iterator<Optional<Bytes>> read = routed.read(store.getKey(), keys).values().iterator();
      store.getValue().keySet().forEach(place -> values.set(place, read.next()));
    }
    return values;
  }

  private void exists(List<byte[]> words) throws IOException {
    out.number(values(words).stream().filter(Optional::isPresent).count());
  }

  private void select(String number) throws IOException {
    if (!number.matches("\\d{1,4}")) {
      out.error("ERR invalid DB index");
      return;
    }
    database = Integer.parseInt(number);
    out.simple("OK");
  }

  private void hello(List<byte[]> command) throws IOException {
    if (command.size() > 1) {
      String version = text(command.get(1));
      if (!version.equals("2") && !version.equals("3")) {
        out.error("NOPROTO unsupported protocol version");
        return;
      }
      for (int i = 2; i + 2 < command.size(); i++) {
        if (text(command.get(i)).equalsIgnoreCase("AUTH")) {
          known = known || matches(command.get(i + 2));
        }
      }
      if (!known) {
        out.error("NOAUTH Authentication required.");
        return;
      }
      out.useThird(version.equals("3"));
    }
    out.map(4);
    out.bulk("server");
    out.bulk("braid");
    out.bulk("proto");
    out.number(out.third() ? 3 : 2);
    out.bulk("role");
    out.bulk("replica");
    out.bulk("modules");
    out.array(0);
  }

  private void auth(byte[] given) throws IOException {
    if (matches(given)) {
      known = true;
      out.simple("OK");
    } else {
      out.error("WRONGPASS invalid password");
    }
  }

  private boolean matches(byte[] given) {
    return token.isEmpty() || MessageDigest.isEqual(given, token.getBytes(StandardCharsets.UTF_8));
  }

  private String info() {
    StringBuilder text =
        new StringBuilder("# Server\r\nserver:braid\r\nrole:replica\r\n# Stores\r\n");
    for (String store : service.stores()) {
      text.append(store).append(":version=").append(service.store(store).version()).append("\r\n");
    }
    return text.toString();
  }

  private static String text(byte[] word) {
    return new String(word, StandardCharsets.UTF_8);
  }
}
