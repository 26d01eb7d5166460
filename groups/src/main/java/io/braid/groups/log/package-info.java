/**
 * The write-ahead log of groups (G-Store, section 5.4): one for all groups of a process, so that
 * commits of different groups share the wait for the disk.
 */
@NullMarked
package io.braid.groups.log;

import org.jspecify.annotations.NullMarked;
