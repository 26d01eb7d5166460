package io.braid.serving.net;

import io.braid.http.TimedAnswers;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A request that another process answers. */
final class TimedRequest {
  private TimedRequest() {}

  /**
   * Sends a request with a time limit, which then holds for each silence within its answer, too.
   *
   * @param interrupted what an interrupt means
   * @throws ConnectException that says where nothing answers, which that of the JDK's client does
   *     not
   */
  static HttpResponse<InputStream> send(HttpClient client, HttpRequest request, String interrupted)
      throws IOException {
    try {
      return client.send(request, TimedAnswers.within(request.timeout().orElseThrow()));
    } catch (ConnectException e) {
      ConnectException silent =
          new ConnectException("Nothing answers at " + request.uri().getAuthority() + ".");
      silent.initCause(e);
      throw silent;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(interrupted);
    } catch (IOException e) {
      throw ProtocolMismatch.told(request, e);
    }
  }
}
