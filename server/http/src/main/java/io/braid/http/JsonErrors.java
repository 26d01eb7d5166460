package io.braid.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.braid.core.failure.ErrorCode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers requests that the library refuses in the form of all other refusals. */
final class JsonErrors implements ServerErrorHandler {
  @Override
  public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
    return ServerErrorHandler.ofDefault().onServiceException(context, cause);
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    if (status.isContentAlwaysEmpty()) {
      return AggregatedHttpResponse.of(ResponseHeaders.of(status));
    }
    ErrorCode code =
        switch (status.code()) {
          case 413, 414, 431 -> ErrorCode.TOO_LONG;
          case 408, 503 -> ErrorCode.BUSY;
          default -> status.isServerError() ? ErrorCode.DEFECT : ErrorCode.BAD_REQUEST;
        };
    String why =
        status.isClientError() && cause != null && cause.getMessage() != null
            ? cause.getMessage()
            : Objects.requireNonNullElse(description, status.reasonPhrase());
    String text = Json.object().put("error", code.word()).put("message", why).toString();
    return AggregatedHttpResponse.of(
        ResponseHeaders.of(status, HttpHeaderNames.CONTENT_TYPE, MediaType.JSON),
        HttpData.ofUtf8(text));
  }
}
