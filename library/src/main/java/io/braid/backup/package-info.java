/**
 * Backups of a database that is open. {@link io.braid.backup.Backup} makes, verifies and restores
 * backups in folders: a copy of the files of an embedded database at one moment, or the rows of any
 * database, and increments of both. Their format is described in docs/formats/backup.md. {@link
 * io.braid.backup.SnapshotBackup} makes backups in the cluster, where the store can freeze tables.
 */
@NullMarked
package io.braid.backup;

import org.jspecify.annotations.NullMarked;
