/** The same on the embedded database. */
import '../support/on-pglite.ts';
import '../db/embedded-types.test.ts';
