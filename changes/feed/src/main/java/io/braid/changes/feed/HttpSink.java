package io.braid.changes.feed;

import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A server that takes batches as JSON Lines by POST; an answer of 2xx says that it has stored them.
 * The position after a batch goes with the batch in the header {@code Braid-Position}, and into a
 * file here once the batch was taken. A batch whose answer was lost comes again, under the same
 * positions.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class HttpSink implements FeedSink {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** After so long no other attempt is made. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final URI target;
  private final PositionFile positions;
  private final FileChannel lock;
  private final Seams seams;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  /**
   * @param positions the file that keeps the position; created if it is missing
   * @throws ChangesException when another feed uses the file
   */
  public HttpSink(URI target, Path positions, Seams seams) throws IOException {
    this.target = target;
    this.positions = new PositionFile(positions, withoutSecrets(target));
    this.lock = PositionFile.lock(positions);
    this.seams = seams;
  }

  /** An address may hold a password or a token. */
  private static String withoutSecrets(URI target) {
    String port = target.getPort() < 0 ? "" : ":" + target.getPort();
    return target.getScheme() + "://" + target.getHost() + port + target.getRawPath();
  }

  @Override
  public Optional<Position> position(String table) throws IOException {
    return positions.read(table);
  }

  @Override
  public void take(String table, ChangeBatch batch) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(target)
            .timeout(PATIENCE)
            .header("Content-Type", "application/x-ndjson")
            .header("Braid-Position", batch.position().toString())
            .POST(BodyPublishers.ofString(FeedLines.of(table, batch)))
            .build();
    Backoff backoff = new Backoff(seams, Duration.ofMillis(100), Duration.ofSeconds(10));
    for (String failure = send(request); !failure.isEmpty(); failure = send(request)) {
      if (backoff.elapsed().compareTo(LONGEST) > 0 || !backoff.pause()) {
        throw new IOException(target + " does not take changes: " + failure);
      }
    }
    positions.write(table, batch.position());
  }

  /** Sends a request. Returns why the server did not take it; empty on success. */
  private String send(HttpRequest request) {
    try {
      // The time limit of the request ends with the headers; the body is not read.
      HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
      answer.body().close();
      return answer.statusCode() / 100 == 2 ? "" : "status " + answer.statusCode();
    } catch (IOException e) {
      return e instanceof ConnectException
          ? "no server answers there"
          : String.valueOf(e.getMessage() == null ? e : e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
