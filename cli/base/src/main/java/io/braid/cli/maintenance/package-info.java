/**
 * The verbs that look after a database: backups, pins, garbage, outcomes of transactions, and raw
 * cells. Begin with {@link BackupCommand}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.maintenance;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
