/**
 * The client's side of a transaction protocol, whichever protocol it is:
 *
 * <ul>
 *   <li>the writes that are buffered until the commit ({@link io.braid.core.protocol.WriteBuffer});
 *   <li>scans of a snapshot and over one's own writes ({@link io.braid.core.protocol.ScanCursor},
 *       {@link io.braid.core.protocol.MergedCursor});
 *   <li>the known properties of the tables ({@link io.braid.core.protocol.TableCatalog});
 *   <li>calls that are counted and tried again ({@link io.braid.core.protocol.Retries}), and
 *       duties;
 *   <li>the parts of a commit that are the same in every protocol ({@link
 *       io.braid.core.protocol.WeakCommit}, {@link io.braid.core.protocol.CommitFailures}).
 * </ul>
 *
 * <p>Each protocol has its own way to read a column that has an intent: {@link
 * io.braid.core.protocol.ColumnReader}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.core.protocol;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
