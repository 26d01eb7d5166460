package io.braid.gateway;

import io.braid.Braid;
import io.braid.core.runtime.Seams;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.gateway.access.Access;
import io.braid.gateway.access.AuditLog;
import io.braid.gateway.access.Caller;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Pace;
import io.braid.gateway.access.RequiredGrants;
import io.braid.gateway.api.Api;
import io.braid.gateway.api.Failures;
import io.braid.gateway.metrics.IncomingTrace;
import io.braid.gateway.metrics.Metrics;
import io.braid.gateway.transactions.OpenTransactions;
import io.braid.gateway.transactions.RequestLog;
import io.braid.gateway.transactions.SignedIds;
import io.braid.http.HttpRefusal;
import io.braid.percolator.garbage.Rate;
import io.braid.serving.client.ValuesTooLongException;
import io.braid.serving.net.NodeService;
import io.braid.serving.net.StoreRoutes;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * The common part of all ways into a node: access, available requests, and records of requests. The
 * ways into a node differ only in the format of a request.
 */
public final class GatewayCore implements CallAdmission, AutoCloseable {
  private final Seams seams;
  private final NodeService stores;
  private final Access access;
  private final Pace pace;
  private final AuditLog audit;
  private final SignedIds ids;
  private final OpenTransactions open;
  private final RequestLog requests;
  private final Metrics metrics;
  private final Api api;
  private final Readiness readiness;
  private final boolean traced;

  /**
   * A request, as it is recorded.
   *
   * @param from the address it came from
   * @param method as HTTP has it
   */
  public record RequestRecord(String from, String method, String path) {}

  /** Answers a request. */
  public interface Handler<R> {
    /**
     * @param identity the caller, for checks of its rights, so that its needs are recorded
     */
    R give(Identity identity) throws IOException;
  }

  GatewayCore(Gateway.Services services, Gateway.Options options, Access access, AuditLog audit) {
    Braid db = services.db();
    this.seams = services.seams();
    this.stores = services.stores();
    this.access = access;
    this.pace = new Pace(seams, options.pace());
    this.audit = audit;
    this.ids = options.ids();
    this.open = new OpenTransactions(db, seams, options.transactions());
    this.requests = new RequestLog(db, seams, options.requestMemory());
    this.metrics = new Metrics(db, open, services.telemetry());
    OpenTelemetry traces = services.telemetry().traces();
    this.traced = traces != OpenTelemetry.noop();
    this.api =
        new Api(
            new Api.Services(seams, db, open, requests, metrics, traces, options.ids()),
            options.requests());
    this.readiness = new Readiness(db, audit);
    metrics.watchCount(
        "braid.gateway.refused", "Requests refused for who asked.", access, Access::refused);
  }

  @Override
  public Seams seams() {
    return seams;
  }

  public NodeService stores() {
    return stores;
  }

  public Api api() {
    return api;
  }

  public Metrics metrics() {
    return metrics;
  }

  /** Sets other limits from now on, for identities that have none of their own. */
  public void limit(OpenTransactions.Bounds transactions, Rate requests) {
    open.bounds(transactions);
    pace.each(requests);
  }

  /**
   * Shows monitoring which files were changed on the disk and cannot be used.
   *
   * @param broken called each time; empty if there are no such files
   */
  public void watchFiles(Supplier<List<String>> broken) {
    readiness.broken(broken);
    metrics.watch(
        "braid.gateway.files.broken",
        "Files that were changed and cannot be used; what they held before is in force.",
        broken,
        each -> each.get().size());
  }

  /** Shows people a warning for as long as this node runs. */
  public void warn(String warning) {
    readiness.warn(warning);
  }

  /** Tells monitoring that all ways into this node are open. */
  public void opened() {
    readiness.opened();
  }

  /** Returns whether requests are to be sent here, as far as is known without asking the store. */
  public boolean ready() {
    return readiness.known().isEmpty();
  }

  OpenTransactions open() {
    return open;
  }

  Readiness readiness() {
    return readiness;
  }

  @Override
  public Context trace(IncomingTrace.Headers headers) {
    return traced ? IncomingTrace.of(headers) : Context.root();
  }

  /** Returns the refusal that answers a failure of anything here. */
  public static HttpRefusal refusal(RuntimeException failure) {
    if (failure instanceof HttpRefusal known) {
      return known;
    }
    return failure instanceof ValuesTooLongException
        ? StoreRoutes.refusal(failure)
        : Failures.refusal(failure);
  }

  @Override
  public Identity identity(RequestRecord asked, Caller caller) {
    return identity(asked, () -> access.of(caller));
  }

  /**
   * Returns the identity of the caller. Records a call from an unknown caller, and refuses a caller
   * that asks too often.
   *
   * @param who finds the identity
   */
  public Identity identity(RequestRecord asked, Supplier<Identity> who) {
    Identity identity;
    try {
      identity = who.get();
    } catch (HttpRefusal e) {
      access.countRefused();
      note(asked, AuditLog.UNKNOWN, List.of(), e.status());
      throw e;
    }
    metrics.asked(identity.name());
    try {
      pace.admit(identity);
      return identity;
    } catch (HttpRefusal e) {
      metrics.limited(identity.name(), e.error());
      throw e;
    }
  }

  /** Returns the access control, which finds the identity of a caller. */
  public Access access() {
    return access;
  }

  @Override
  public void requireServing(boolean begun) {
    if (readiness.draining() && !begun) {
      throw new HttpRefusal(503, "ending", "This node is ending: ask another one, or later.");
    }
  }

  @Override
  public void measured(RequestRecord asked, int status, long nanos) {
    metrics.request(asked.method(), asked.path(), status, nanos);
  }

  /** Answers, and records changes and refusals because of the caller. */
  @Override
  public <R> R noted(RequestRecord asked, Identity identity, boolean changes, Handler<R> answer)
      throws IOException {
    if (changes && !audit.healthy()) {
      note(asked, identity.name(), List.of(), 503);
      throw new HttpRefusal(
          503, "no audit", "The audit log cannot be written, so nothing may be changed.");
    }
    RequiredGrants needs = new RequiredGrants();
    int status = 500;
    try {
      R answered = answer.give(identity.telling(needs));
      status = 200;
      return answered;
    } catch (CommitOutcomeUnknownException e) {
      HttpRefusal refusal = ids.refusal(identity.name(), e);
      status = refusal.status();
      throw refusal;
    } catch (RuntimeException e) {
      HttpRefusal refusal = refusal(e);
      status = refusal.status();
      if (status == 403) {
        access.countRefused();
      } else if (status == 429) {
        metrics.limited(identity.name(), refusal.error());
      }
      throw e;
    } finally {
      if (changes || status == 403) {
        note(asked, identity.name(), needs.all(), status);
      }
    }
  }

  private void note(RequestRecord asked, String identity, List<String> needs, int status) {
    audit.add(identity, asked.from(), asked.method(), asked.path(), needs, status);
  }

  @Override
  public void close() throws IOException {
    readiness.drain();
    api.endJobs();
    open.close();
    requests.close();
    metrics.close();
    audit.close();
  }
}
