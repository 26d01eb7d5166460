package io.braid.serving.net;

import io.braid.serving.fetch.Source;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.NoSuchFileException;
import java.time.Duration;

/** A folder under an http address, as any web server gives it out, or another node. */
final class HttpSource implements Source {
  private static final int OK = 200;
  private static final int PARTIAL = 206;
  private static final int NOT_FOUND = 404;
  private static final int NOT_SATISFIABLE = 416;

  /** How long an answer may take to begin, and to go on. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final URI folder;
  private final Duration patience;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  HttpSource(URI folder) {
    this(folder, PATIENCE);
  }

  HttpSource(URI folder, Duration patience) {
    this.folder = folder;
    this.patience = patience;
  }

  @Override
  public InputStream open(String name, long offset) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(folder.resolve(name)).timeout(patience);
    if (offset > 0) {
      request.header("Range", "bytes=" + offset + "-");
    }
    HttpResponse<InputStream> response = send(request.build());
    int status = response.statusCode();
    if (status == OK || status == PARTIAL) {
      InputStream body = response.body();
      body.skipNBytes(status == OK ? offset : 0);
      return body;
    }
    response.body().close();
    if (status == NOT_SATISFIABLE) {
      return InputStream.nullInputStream();
    }
    if (status == NOT_FOUND) {
      throw new NoSuchFileException(folder.resolve(name).toString());
    }
    throw new IOException(folder.resolve(name) + " answered with status " + status + ".");
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    return TimedRequest.send(client, request, "The fetch was stopped.");
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
