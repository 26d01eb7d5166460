/**
 * Transactions on behalf of remote clients. Open transactions are kept under a <em>lease</em>. The
 * result of a <em>request id</em> is stored in the transaction that did the request.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.gateway.transactions;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
