/** Files and directories that survive a crash whole. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.serving.files;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
