/**
 * Versions of stores on a node (Voldemort, sections 4.2 and 4.3).
 *
 * <p>{@link io.braid.serving.node.NodeDirectory} is the directory of a node, {@link
 * io.braid.serving.node.StoreVersions} one of a store in it: a directory for each version, and the
 * file {@code latest}, which names the live one. After any crash, {@code latest} says which version
 * is served; the file changes in place, and a crash leaves it as before or after a change. {@link
 * io.braid.serving.node.ServedStore} answers from the live version. A reader holds a {@link
 * io.braid.serving.node.Lease} on the version it reads, and files are unmapped when the last lease
 * is given back.
 */
@NullMarked
package io.braid.serving.node;

import org.jspecify.annotations.NullMarked;
