package io.braid.http;

import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A service of gRPC behind the bounds of this server. A call begins when its message is there. Only
 * reflection takes streams of messages, which are short.
 */
final class RpcChecks extends SimpleDecoratingHttpService {
  private static final String STREAMS = "/grpc.reflection.";

  /** Bytes of a stream of messages that are in memory. */
  private static final int STREAM = 32 << 10;

  /** Bytes of the headers of a call. */
  private static final int HEADERS = 16 << 10;

  private final Admission admission;
  private final int most;

  /** Counts a request, until its answer is taken. */
  interface Admission {
    Optional<ArmeriaCall> admit(ServiceRequestContext context) throws URISyntaxException;
  }

  /**
   * @param most bytes of a message
   */
  RpcChecks(HttpService service, Admission admission, int most) {
    super(service);
    this.admission = admission;
    this.most = most;
  }

  @Override
  public ExchangeType exchangeType(RoutingContext routing) {
    return ExchangeType.BIDI_STREAMING; // the library is not to gather anything
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
    Optional<ArmeriaCall> admitted = admission.admit(context);
    if (admitted.isEmpty()) {
      return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE);
    }
    if (admitted.get().headerBytes() > HEADERS) {
      return HttpResponse.of(HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE);
    }
    RpcCall call = admitted.get().rpc();
    call.putInto(context);
    if (context.path().startsWith(STREAMS)) {
      call.give(STREAM);
      return unwrap().serve(context, request);
    }
    CompletableFuture<HttpResponse> begun = new CompletableFuture<>();
    admitted.get().onAbandon(begun::completeExceptionally);
    admitted.get().gather(most, gathered -> begun.complete(begin(context, gathered)));
    return HttpResponse.of(begun);
  }

  private HttpResponse begin(ServiceRequestContext context, ArmeriaCall call) {
    call.begin();
    if (call.gone()) {
      return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE); // its client has gone
    }
    try {
      HttpRequest whole =
          HttpRequest.of(context.request().headers(), HttpData.wrap(call.body().readAllBytes()));
      context.updateRequest(whole);
      return unwrap().serve(context, whole);
    } catch (HttpRefusal e) {
      return HttpResponse.of(HttpStatus.valueOf(e.status()));
    } catch (Exception e) {
      return HttpResponse.ofFailure(e);
    }
  }
}
