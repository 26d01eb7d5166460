package io.braid.gateway;

import io.braid.http.HttpCall;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * The page for people: a few files, the same for every client. The page fetches its data through
 * the same requests as other clients.
 */
final class Console {
  private static final Map<String, String> TYPES =
      Map.of(
          "/", "text/html; charset=utf-8",
          "/console.js", "text/javascript; charset=utf-8",
          "/overview.js", "text/javascript; charset=utf-8",
          "/jobs.js", "text/javascript; charset=utf-8",
          "/console.css", "text/css; charset=utf-8");

  /** Answers if a file is asked for. */
  boolean answer(HttpCall call, String path) throws IOException {
    String type = TYPES.get(path);
    if (type == null || !call.method().equals("GET")) {
      return false;
    }
    String name = path.equals("/") ? "console.html" : path.substring(1);
    try (InputStream file = Console.class.getResourceAsStream("console/" + name)) {
      if (file == null) {
        return false;
      }
      call.set(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
      call.send(200, type, file.readAllBytes());
      return true;
    }
  }
}
