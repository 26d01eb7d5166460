package io.braid.serving.redis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The command CLIENT: what clients say of themselves when they connect. */
final class RedisClientVerb {
  private final RespWriter out;
  private final long number;
  private byte @Nullable [] name;

  RedisClientVerb(RespWriter out, long number) {
    this.out = out;
    this.number = number;
  }

  long number() {
    return number;
  }

  void answer(List<byte[]> words) throws IOException {
    String verb = text(words.get(0)).toUpperCase(Locale.ROOT);
    switch (verb + " " + words.size()) {
      case "ID 1" -> out.number(number);
      case "GETNAME 1" -> out.bulk(name == null ? null : ByteBuffer.wrap(name));
      case "SETNAME 2" -> {
        if (name(words.get(1))) {
          out.simple("OK");
        }
      }
      case "SETINFO 3" -> {
        String what = text(words.get(1)).toUpperCase(Locale.ROOT);
        if (what.equals("LIB-NAME") || what.equals("LIB-VER")) {
          out.simple("OK");
        } else {
          out.error("ERR Unrecognized option '" + text(words.get(1)) + "'");
        }
      }
      default -> {
        if (verb.matches("ID|GETNAME|SETNAME|SETINFO")) {
          out.error(
              "ERR wrong number of arguments for 'client|"
                  + verb.toLowerCase(Locale.ROOT)
                  + "' command");
        } else {
          out.error(unknown("CLIENT", words.get(0)));
        }
      }
    }
  }

  /** Takes a name, or says what is wrong with it. */
  boolean name(byte[] wanted) throws IOException {
    for (byte b : wanted) {
      if (b < '!' || b > '~') {
        out.error("ERR Client names cannot contain spaces, newlines or special characters.");
        return false;
      }
    }
    name = wanted.length == 0 ? null : wanted;
    return true;
  }

  static String unknown(String verb, byte[] word) {
    return "ERR unknown subcommand '" + text(word) + "'. Try " + verb + " HELP.";
  }

  private static String text(byte[] word) {
    return new String(word, 0, Math.min(word.length, 128), StandardCharsets.UTF_8);
  }
}
