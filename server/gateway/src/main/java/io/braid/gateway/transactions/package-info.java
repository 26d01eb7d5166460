/**
 * Transactions on behalf of remote clients. Open transactions are kept under a <em>lease</em>. The
 * result of a <em>request id</em> is stored in the transaction that did the request.
 */
@NullMarked
package io.braid.gateway.transactions;

import org.jspecify.annotations.NullMarked;
