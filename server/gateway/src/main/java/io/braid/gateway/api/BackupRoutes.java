package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.Braid;
import io.braid.backup.Backup;
import io.braid.gateway.access.Role;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** Backups of the database that is open here, in a folder that the configuration names. */
final class BackupRoutes {
  private final Braid db;
  private final Path folder;
  private final ReentrantLock running = new ReentrantLock();

  BackupRoutes(Braid db, Path folder) {
    this.db = db;
    this.folder = folder;
  }

  List<Route> all() {
    return List.of(
        Route.of("GET", "/v1/backups", Role.ADMIN, "The backups made here.", this::list),
        Route.of(
                "PUT",
                "/v1/backups/{backup}",
                Role.ADMIN,
                "Make a backup and read it back; writers go on meanwhile.",
                this::create)
            .takes("since", "make an increment of this backup or increment"));
  }

  private JsonNode list(Request request) throws IOException {
    ObjectNode answer = Json.object();
    ArrayNode backups = answer.putArray("backups");
    if (Files.isDirectory(folder)) {
      try (Stream<Path> all = Files.list(folder)) {
        all.filter(each -> Files.exists(each.resolve("MANIFEST")))
            .map(each -> each.getFileName().toString())
            .filter(name -> !name.endsWith(".unfinished"))
            .sorted()
            .forEach(backups::add);
      }
    }
    return answer;
  }

  private Path place(String name) {
    if (!name.matches("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}") || name.endsWith(".unfinished")) {
      throw new IllegalArgumentException("A backup is named by letters, digits and '_.-'.");
    }
    return folder.resolve(name);
  }

  private JsonNode create(Request request) {
    String name = request.part("backup");
    Path place = place(name);
    Optional<Path> since = request.parameter("since").map(this::place);
    if (!running.tryLock()) {
      throw new HttpRefusal(409, "running", "A backup is being made; wait for it.");
    }
    try {
      Backup backup = new Backup((step, done) -> {});
      Backup.Contents made =
          since.isPresent() ? backup.increment(db, since.get(), place) : backup.create(db, place);
      ObjectNode answer = Json.object().put("backup", name);
      answer.put("timestamp", Long.toString(made.timestamp()));
      answer.put("bytes", made.bytes()).put("files", made.files());
      ObjectNode rows = answer.putObject("rows");
      made.rows().forEach(rows::put);
      return answer;
    } finally {
      running.unlock();
    }
  }
}
