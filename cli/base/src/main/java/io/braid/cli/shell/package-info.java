/**
 * The prompt: a <em>statement</em> is a line; its first word is a <em>verb</em>; a <em>session</em>
 * holds the transaction that is open, and the moment that is looked at.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.shell;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
