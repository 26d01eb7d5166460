package io.braid.http;

import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * A service of gRPC behind the bounds of this server. A call begins when its message is there. Only
 * reflection takes streams of messages, which are short.
 */
final class RpcChecks extends SimpleDecoratingHttpService {
  private static final String REFLECTION = "/grpc.reflection.";
  private static final Pattern TYPE = Pattern.compile("application/grpc([+;].*)?");
  private static final String WATCH = "/grpc.health.v1.Health/Watch";

  /** The numbers of states of gRPC. */
  private static final int INVALID_ARGUMENT = 3;

  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int UNIMPLEMENTED = 12;

  /** Bytes of a stream of messages that are in memory. */
  private static final int STREAM = 32 << 10;

  /** Bytes before a message. */
  static final int PREFIX = 5;

  /** Bytes of the headers of a call. */
  private static final int HEADERS = 16 << 10;

  private final Admission admission;
  private final Admission streams;
  private final int most;

  /** Counts a request, until its answer is taken. */
  interface Admission {
    Optional<ArmeriaCall> admit(ServiceRequestContext context) throws URISyntaxException;
  }

  /**
   * @param streams counts a stream without an end
   * @param most bytes of a message with what is before it
   */
  RpcChecks(HttpService service, Admission admission, Admission streams, int most) {
    super(service);
    this.admission = admission;
    this.streams = streams;
    this.most = most;
  }

  @Override
  public ExchangeType exchangeType(RoutingContext routing) {
    return ExchangeType.BIDI_STREAMING; // the library is not to gather anything
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
    boolean reflection = context.path().startsWith(REFLECTION);
    boolean endless = reflection || context.path().equals(WATCH);
    Optional<ArmeriaCall> admitted = (endless ? streams : admission).admit(context);
    if (admitted.isEmpty()) {
      return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE);
    }
    try {
      WebPages.refuseForeign(admitted.get());
      requireRpc(context);
    } catch (HttpRefusal e) {
      return HttpResponse.of(HttpStatus.valueOf(e.status()), MediaType.JSON, e.body().toString());
    }
    if (admitted.get().headerBytes() > HEADERS) {
      return HttpResponse.of(HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE);
    }
    RpcCall call = admitted.get().rpc();
    call.putInto(context);
    if (reflection) {
      call.give(STREAM);
      return unwrap().serve(context, request);
    }
    CompletableFuture<HttpResponse> begun = new CompletableFuture<>();
    admitted.get().onAbandon(begun::completeExceptionally);
    admitted.get().gather(most, gathered -> begun.complete(begin(context, gathered)));
    return HttpResponse.of(begun);
  }

  private static void requireRpc(ServiceRequestContext context) {
    if (context.method() != HttpMethod.POST) {
      throw new HttpRefusal(405, "method", "A method of gRPC is called with POST.");
    }
    String type = context.request().headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    if (!TYPE.matcher(type).matches()) {
      throw new HttpRefusal(
          415, "not gRPC", "A method of gRPC is called with Content-Type: application/grpc.");
    }
  }

  private HttpResponse begin(ServiceRequestContext context, ArmeriaCall call) {
    call.begin();
    if (call.gone()) {
      return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE); // its client has gone
    }
    try {
      byte[] body = call.body().readAllBytes();
      Optional<HttpResponse> refused = refused(context, body);
      if (refused.isPresent()) {
        return refused.get();
      }
      HttpRequest whole = HttpRequest.of(context.request().headers(), HttpData.wrap(body));
      context.updateRequest(whole);
      return unwrap().serve(context, whole);
    } catch (HttpRefusal e) {
      return tooLong(); // its body says so
    } catch (Exception e) {
      return HttpResponse.ofFailure(e);
    }
  }

  /** Looks at what is before the message: a byte for its compression, and its length. */
  private Optional<HttpResponse> refused(ServiceRequestContext context, byte[] body) {
    long length = body.length < PREFIX ? 0 : ByteBuffer.wrap(body).getInt(1) & 0xFFFF_FFFFL;
    if (length > most - PREFIX) {
      return Optional.of(tooLong());
    }
    if (body.length < PREFIX || body.length != PREFIX + length) {
      return Optional.of(refusal(INVALID_ARGUMENT, "A call has one whole message."));
    }
    String encoding = context.request().headers().get("grpc-encoding", "identity");
    boolean known = body[0] == 0 || body[0] == 1 && encoding.equals("gzip");
    return known
        ? Optional.empty()
        : Optional.of(refusal(UNIMPLEMENTED, "Messages are compressed by gzip, or not at all."));
  }

  private HttpResponse tooLong() {
    return refusal(RESOURCE_EXHAUSTED, "A message has at most " + (most - PREFIX) + " bytes.");
  }

  private static HttpResponse refusal(int status, String message) {
    return HttpResponse.of(
        ResponseHeaders.of(HttpStatus.OK, HttpHeaderNames.CONTENT_TYPE, "application/grpc"),
        HttpData.empty(),
        HttpHeaders.of("grpc-status", status, "grpc-message", message));
  }
}
