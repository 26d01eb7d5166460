/**
 * Fetching a version (Voldemort, section 4.3): a node pulls the folder that was built for it, at
 * its own pace, and compares checksums while the bytes come in.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.serving.fetch;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
