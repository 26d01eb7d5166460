package io.braid.serving.net;

import io.braid.http.TimedAnswers;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;

/** A request that another process answers. */
final class Asked {
  private Asked() {}

  /**
   * Sends a request with a time limit, which then holds for each silence within its answer, too.
   *
   * @param interrupted what an interrupt means
   * @throws ConnectException that says where nothing answers, which that of the JDK's client does
   *     not
   */
  static HttpResponse<InputStream> send(HttpClient client, HttpRequest request, String interrupted)
      throws IOException {
    return send(client, request, TimedAnswers.within(request.timeout().orElseThrow()), interrupted);
  }

  /** The same, with an answer whose reader looks after its silences. */
  static HttpResponse<InputStream> sendUnwatched(
      HttpClient client, HttpRequest request, String interrupted) throws IOException {
    return send(client, request, BodyHandlers.ofInputStream(), interrupted);
  }

  private static HttpResponse<InputStream> send(
      HttpClient client, HttpRequest request, BodyHandler<InputStream> bodies, String interrupted)
      throws IOException {
    try {
      return client.send(request, bodies);
    } catch (ConnectException e) {
      ConnectException silent =
          new ConnectException("Nothing answers at " + request.uri().getAuthority() + ".");
      silent.initCause(e);
      throw silent;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(interrupted);
    } catch (IOException e) {
      throw OtherProtocol.told(request, e);
    }
  }
}
