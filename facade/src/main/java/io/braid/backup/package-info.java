/**
 * Backups of an embedded database: a copy of one moment in a folder with a manifest of checksums.
 * Its format stands in docs/formats/backup.md.
 */
@NullMarked
package io.braid.backup;

import org.jspecify.annotations.NullMarked;
