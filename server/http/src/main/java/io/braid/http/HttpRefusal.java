package io.braid.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;

/** A request that is answered with a status of its own, and an object that says what to do. */
public final class HttpRefusal extends RuntimeException {
  private static final int MOST = 2000;

  private final int status;
  private final String error;
  private final transient ObjectNode details = Json.object();

  /**
   * @param error a word that programs can rely on
   * @param message for people
   */
  public HttpRefusal(int status, String error, String message) {
    super(shortened(message));
    this.status = status;
    this.error = error;
  }

  /** Texts quote what was sent, of which some is enough. */
  private static String shortened(String message) {
    return message.length() <= MOST
        ? message
        : message.substring(0, MOST / 2)
            + "... ("
            + message.length()
            + " characters) ..."
            + message.substring(message.length() - MOST / 4);
  }

  /** Returns the answer for a failure: its code is the error, its remedy gives the status. */
  public static HttpRefusal of(BraidException failure) {
    return new HttpRefusal(
        status(failure.code()), failure.code().word(), String.valueOf(failure.getMessage()));
  }

  private static int status(ErrorCode code) {
    if (code == ErrorCode.CONDITION_FAILED) {
      return 412;
    }
    return switch (code.remedy()) {
      case CHANGE_REQUEST -> 400;
      case ASK_FOR_LESS -> 413;
      case CREATE_FIRST -> 404;
      case BEGIN_AGAIN, READ_THE_TEXT -> 409;
      case USE_NEWER -> 410;
      case ASK_ANOTHER_NODE -> 421;
      case USE_THE_HOLDER -> 423;
      case TRY_LATER, LOOK_AFTER_THE_STORE -> 503;
      case RESTORE -> 502;
      case ASK_FOR_THE_OUTCOME -> 504;
      case REPORT -> 500;
    };
  }

  /** Returns the answer for a request that is not valid. */
  public static HttpRefusal badRequest(IllegalArgumentException failure) {
    return new HttpRefusal(400, ErrorCode.BAD_REQUEST.word(), String.valueOf(failure.getMessage()));
  }

  /** Returns the answer for a failure that is not the fault of the request. */
  public static HttpRefusal defect() {
    return new HttpRefusal(
        500,
        ErrorCode.DEFECT.word(),
        "This looks like a defect of the server; its log has the details.");
  }

  /** Adds something to the object. */
  public HttpRefusal with(String key, String value) {
    details.put(key, value);
    return this;
  }

  public int status() {
    return status;
  }

  public String error() {
    return error;
  }

  /** Returns the further fields of the JSON object; the caller may add some. */
  public ObjectNode details() {
    return details;
  }

  ObjectNode body() {
    ObjectNode body = Json.object().put("error", error).put("message", getMessage());
    body.setAll(details);
    return body;
  }
}
