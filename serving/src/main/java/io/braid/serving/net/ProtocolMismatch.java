package io.braid.serving.net;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.http.HttpRequest;

/**
 * Explains the failure when an address that should be a node answers in another protocol than HTTP.
 */
final class ProtocolMismatch {
  private ProtocolMismatch() {}

  /** The failure of a request in words that help, or as it is. */
  static IOException told(HttpRequest request, IOException failure) {
    return failure instanceof ProtocolException
        ? new IOException(
            request.uri().getAuthority()
                + " answers, but not over HTTP: it may be a port for gRPC or Redis clients. Name"
                + " the port for HTTP, which 'braid serve' prints when it starts.",
            failure)
        : failure;
  }
}
