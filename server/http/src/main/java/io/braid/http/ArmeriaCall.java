package io.braid.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.braid.core.failure.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A call over Armeria. The threads of the network gather its body, and the work begins when the
 * body is complete. The answer is handed over whole, or, from a file, a piece at a time.
 */
final class ArmeriaCall extends HttpCall {
  /** Bytes of a file that are in memory at a time. */
  private static final int PIECE = 128 << 10;

  /** Bytes of memory of a request, beside its headers and its body. */
  private static final int OVERHEAD = 4 << 10;

  /** Bytes of memory of a header, beside its text. */
  private static final int EACH_HEADER = 128;

  private final ServiceRequestContext context;
  private final Connection connection;
  private final boolean endless;
  private final ClientWaits waits;
  private final Turns turns;
  private final WorkTime longest;
  private final Function<HttpCall, String> whose;
  private final URI target;
  private final ResponseHeadersBuilder headers = ResponseHeaders.builder();
  private final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
  private final BodyBytes bytes = new BodyBytes();
  private ClientWaits.@Nullable Wait wait;
  private int tooLong;
  private volatile long begun;

  /**
   * @throws URISyntaxException when the address is none
   */
  ArmeriaCall(
      ServiceRequestContext context,
      Connection connection,
      boolean endless,
      ClientWaits waits,
      Turns turns,
      WorkTime longest,
      Function<HttpCall, String> whose)
      throws URISyntaxException {
    this.context = context;
    this.connection = connection;
    this.endless = endless;
    this.waits = waits;
    this.turns = turns;
    this.longest = longest;
    this.begun = longest.now();
    this.whose = whose;
    this.target = new URI(RawTarget.unwrap(context.rawPath()));
  }

  HttpResponse answer() {
    return HttpResponse.of(answer);
  }

  /**
   * Gathers the body.
   *
   * @param most bytes; the rest of a longer body is not read
   * @param complete is called when the body is there
   */
  void gather(int most, Consumer<ArmeriaCall> complete) {
    if (context.request().isEmpty()) {
      complete.accept(this);
    } else if (context.request().headers().contentLength() > most) {
      tooLong = most;
      complete.accept(this);
    } else if (context.sessionProtocol().isMultiplex()) {
      // What the client has taken back with its next bytes is not begun.
      connection.all().begin();
      context
          .eventLoop()
          .execute(
              () -> {
                connection.all().end();
                if (!gone()) {
                  gatherNow(most, complete);
                }
              });
    } else {
      gatherNow(most, complete);
    }
  }

  private void gatherNow(int most, Consumer<ArmeriaCall> complete) {
    ClientWaits.Wait begun = waits.request(connection, !endless, () -> whose.apply(this));
    begun.add(OVERHEAD + context.request().headers().size() * EACH_HEADER + headerBytes());
    wait = begun;
    context.request().subscribe(new Body(begun, most, complete), context.eventLoop());
  }

  Connection connection() {
    return connection;
  }

  /** Returns the length of all headers. */
  int headerBytes() {
    return context.request().headers().stream()
        .mapToInt(each -> each.getKey().length() + each.getValue().length())
        .sum();
  }

  /** Returns whether the client has gone, or takes no answer any more. */
  boolean gone() {
    return context.log().isComplete() || context.isCancelled() || answer.isDone();
  }

  /**
   * Refuses to go on with work whose client has gone, or that takes too long.
   *
   * @throws HttpRefusal 503 or 413
   */
  void requireWanted() {
    if (gone() || Thread.currentThread().isInterrupted()) {
      throw new HttpRefusal(503, ErrorCode.BUSY.word(), "The client has gone, or the server ends.");
    }
    longest.require(begun);
  }

  /** The work begins: the body is counted as memory of the answer from now on. */
  void begin() {
    begun = longest.now();
    if (wait != null) {
      wait.end();
    }
  }

  /** Ends the connection after the answer. */
  void closeConnection() {
    set("Connection", "close");
    connection.closeAfterAnswer();
  }

  /** Ends the connection, if there is no answer yet. */
  void abandon(Throwable why) {
    answer.completeExceptionally(why);
  }

  /** Calls back with the reason when there will be no answer. */
  void onAbandon(Consumer<Throwable> reader) {
    answer.whenComplete(
        (given, failure) -> {
          if (failure != null) {
            reader.accept(failure);
          }
        });
  }

  @Override
  public String method() {
    return context.method().name();
  }

  @Override
  public String path() {
    return text(target.getRawPath());
  }

  @Override
  public String query() {
    return text(target.getRawQuery());
  }

  private static String text(@Nullable String part) {
    return part == null ? "" : part;
  }

  @Override
  public @Nullable String header(String name) {
    RequestHeaders given = context.request().headers();
    String value = given.get(name);
    // HTTP/2 has another name for it.
    return value == null && name.equalsIgnoreCase("host")
        ? given.get(HttpHeaderNames.AUTHORITY)
        : value;
  }

  @Override
  public InetSocketAddress from() {
    return connection.from();
  }

  @Override
  public Optional<SSLSession> tls() {
    return connection.tls();
  }

  /** Returns the body; each byte can be read once, and is not kept then. */
  @Override
  public InputStream body() {
    if (tooLong > 0) {
      throw new HttpRefusal(
          413, ErrorCode.TOO_LONG.word(), "A body has at most " + tooLong + " bytes.");
    }
    return bytes.read();
  }

  @Override
  public void set(String header, String value) {
    headers.set(header, value);
  }

  @Override
  public boolean answered() {
    return answer.isDone();
  }

  @Override
  protected void write(int status, byte[] body) {
    ResponseHeaders head = headers.status(HttpStatus.valueOf(status)).build();
    atEnd(waits.answer(connection, body.length)::end);
    answer.complete(
        context.method() == HttpMethod.HEAD
            ? HttpResponse.of(head)
            : HttpResponse.of(head, HttpData.wrap(body)));
  }

  /** Returns the answer of a call over gRPC. */
  RpcCall rpc() {
    return new RpcCall(this, waits);
  }

  /** Runs something when the answer is taken, or will not be. */
  void atEnd(Runnable body) {
    context.log().whenAvailable(RequestLogProperty.RESPONSE_END_TIME).thenAccept(log -> body.run());
  }

  @Override
  protected void write(int status, FileChannel file, long length) {
    HttpResponseWriter to = HttpResponse.streaming();
    to.whenComplete().handle((done, failure) -> close(file));
    to.write(headers.status(HttpStatus.valueOf(status)).contentLength(length).build());
    answer.complete(to);
    write(to, file, length);
  }

  private static boolean close(FileChannel file) {
    try {
      file.close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes one piece, and the next when the client has taken this one. */
  private void write(HttpResponseWriter to, FileChannel file, long length) {
    if (length == 0) {
      to.close();
      return;
    }
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, length));
    try {
      while (piece.hasRemaining()) {
        if (file.read(piece) < 0) {
          throw new IOException("The file has become shorter while it was sent.");
        }
      }
    } catch (IOException e) {
      to.close(e);
      return;
    }
    ClientWaits.Wait untaken = waits.answer(connection, piece.capacity());
    if (!to.tryWrite(HttpData.wrap(piece.array()))) {
      untaken.end();
      return;
    }
    to.whenConsumed()
        .handle(
            (taken, failure) -> {
              untaken.end();
              if (failure == null) {
                turns.goOn(connection, () -> write(to, file, length - piece.capacity()));
              }
              return taken;
            });
  }

  /** Gathers the pieces of the body. */
  private final class Body implements Subscriber<HttpObject> {
    private final ClientWaits.Wait begun;
    private final int most;
    private final Consumer<ArmeriaCall> complete;
    private @Nullable Subscription subscription;
    private long received;
    private boolean ended;

    private Body(ClientWaits.Wait begun, int most, Consumer<ArmeriaCall> complete) {
      this.begun = begun;
      this.most = most;
      this.complete = complete;
    }

    @Override
    public void onSubscribe(Subscription begins) {
      subscription = begins;
      begins.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(HttpObject part) {
      if (ended || !(part instanceof HttpData data)) {
        return;
      }
      bytes.add(data.array());
      received += data.length();
      begun.add(data.length());
      if (received > most) {
        tooLong = most;
        end();
        if (subscription != null) {
          subscription.cancel();
        }
      }
    }

    @Override
    public void onComplete() {
      end();
    }

    private void end() {
      if (!ended) {
        ended = true;
        begun.complete();
        complete.accept(ArmeriaCall.this);
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (!ended) {
        ended = true;
        begun.end();
        abandon(failure);
      }
    }
  }
}
