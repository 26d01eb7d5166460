/**
 * Transactions on behalf of clients that are elsewhere: open ones are kept under a <em>lease</em>;
 * what a <em>request id</em> has done is remembered in the transaction that did it.
 */
@NullMarked
package io.braid.gateway.transactions;

import org.jspecify.annotations.NullMarked;
