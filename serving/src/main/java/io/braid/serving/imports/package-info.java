/**
 * Imports of many tuples into a replicated read-write store, which takes no other writes meanwhile
 * (Hadoop on PNUTS, section 6.2).
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.serving.imports;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
