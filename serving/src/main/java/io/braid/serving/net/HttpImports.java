package io.braid.serving.net;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.http.HttpCall;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.http.RemoteCallKind;
import io.braid.serving.imports.ImportStep;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Imports into read-write stores over HTTP, for those who know the token:
 *
 * <pre>
 * POST /rw/S/import/state    how far this node is; {} when there was no import
 * POST /rw/S/import/STEP     a step of {@link ImportStep}, with the import as JSON
 * POST /rw/S/import/tuples   binary: the import as JSON, and tuples
 * </pre>
 */
final class HttpImports {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern PATH = Pattern.compile("/rw/([^/]+)/import/([a-z-]+)");

  private final StoreImports imports;

  HttpImports(StoreImports imports) {
    this.imports = imports;
  }

  static boolean isFor(String path) {
    return PATH.matcher(path).matches();
  }

  /** How a step is called in an address. */
  static String name(ImportStep step) {
    return step.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  void handle(HttpCall call, String path) throws IOException {
    Matcher matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      throw new IllegalStateException("Not an import: " + path);
    }
    String store = matcher.group(1);
    ObjectNode answer = Json.object();
    switch (matcher.group(2)) {
      case "state" -> answer = imports.state(store).map(ImportState::encode).orElse(Json.object());
      case "tuples" -> {
        byte[] body = Wire.body(call.body(), Json.LIMIT);
        Decoder from = new Decoder(Bytes.wrap(body));
        ImportState ticket = ImportState.decode(JSON.readTree(from.text()));
        imports.take(store, ticket, ImportedTuple.decode(from));
      }
      default -> {
        ImportState ticket = ImportState.decode(Json.read(call.body()));
        ImportStep step = step(matcher.group(2));
        RemoteCallKind.NODES.during(
            () -> {
              imports.step(store, ticket, step);
              return true;
            });
      }
    }
    call.send(200, answer);
  }

  private static ImportStep step(String name) {
    return Arrays.stream(ImportStep.values())
        .filter(step -> name(step).equals(name))
        .findFirst()
        .orElseThrow(
            () -> new HttpRefusal(404, "no such address", "An import has no step " + name + "."));
  }
}
