package io.braid.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * One request over HTTP and its answer. The call is independent of the library that speaks HTTP.
 * Each call is answered once, with one of the {@code send} methods.
 */
public abstract class HttpCall {
  /** Returns the method, as {@code GET}. */
  public abstract String method();

  /** Returns the path as the client escaped it; empty if there is none. */
  public abstract String path();

  /** Returns the query as the client escaped it; empty if there is none. */
  public abstract String query();

  /** Returns the first header of a name; null if there is none. */
  public abstract @Nullable String header(String name);

  /** Returns the address of the client. */
  public abstract InetSocketAddress from();

  /** Returns the TLS session; empty over a plain connection. */
  public abstract Optional<SSLSession> tls();

  /** Returns the body of the request. */
  public abstract InputStream body();

  /** Sets a header of the answer. */
  public abstract void set(String header, String value);

  /** Returns whether the answer has begun. */
  public abstract boolean answered();

  /**
   * Answers with a status and bytes.
   *
   * @param body empty for an answer without a body
   */
  protected abstract void write(int status, byte[] body) throws IOException;

  /** Answers with the bytes of a file; this method, or the end of the answer, closes the file. */
  protected abstract void write(int status, FileChannel file, long length) throws IOException;

  /** Answers with a JSON object. */
  public final void send(int status, JsonNode body) throws IOException {
    send(status, "application/json", Json.line(body));
  }

  /** Answers with bytes. */
  public final void send(int status, String type, byte[] body) throws IOException {
    set("Content-Type", type);
    // From here on the body alone is in memory; it counts as an answer that waits to be taken.
    AnswerMemory.release();
    write(status, method().equals("HEAD") ? new byte[0] : body);
  }

  /**
   * Answers with a part of a file, piece by piece as the client takes the pieces.
   *
   * @param file open at the first byte to send; the call closes the file
   * @param length bytes to send
   */
  public final void send(int status, FileChannel file, long length) throws IOException {
    if (length == 0 || method().equals("HEAD")) {
      file.close();
      write(status, new byte[0]);
    } else {
      write(status, file, length);
    }
  }
}
