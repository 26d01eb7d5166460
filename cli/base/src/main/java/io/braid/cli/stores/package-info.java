/**
 * The verbs of {@code braid store}: they build versions of a store, push them to nodes, swap them,
 * and write to read-write stores. A {@link TupleInput} gives the tuples of a store. Begin with
 * {@link StoreCommand}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.stores;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
