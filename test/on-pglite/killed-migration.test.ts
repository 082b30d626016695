/** Repeats these tests on the embedded database. */
import '../support/on-pglite.ts';
import '../db/killed-migration.test.ts';
