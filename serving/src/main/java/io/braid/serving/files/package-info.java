/** Files and directories that survive a crash whole. */
@NullMarked
package io.braid.serving.files;

import org.jspecify.annotations.NullMarked;
