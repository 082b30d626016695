/** Checks of every test database: lock order, writes through the handle that carries the audit context, frozen records. */
import { checkLockOrder } from './lock-order.ts';

/** An INSERT, UPDATE or DELETE anywhere in the statement, also in a CTE; not the locks `for update` and `for no key update`. */
const writePattern =
  /\binsert\s+into\b|\bdelete\s+from\b|(?<!\bfor\s|\bkey\s)\bupdate\s+(?!set\b|skip\b|of\b|nowait\b)["\w]/i;

/** Tables of libraries have no audit log. */
const libraryTables = /\bpgboss\.|\b_prisma_migrations\b/;

export class WriteWithoutAuditContextError extends Error {}

/** Statements that define functions and triggers contain writes, but perform none. */
const definition = /^\s*create\b/i;

/** `sql` only reads: a statement that writes goes through `write`. */
function rejectWrites(text: string): void {
  if (writePattern.test(text) && !libraryTables.test(text) && !definition.test(text))
    throw new WriteWithoutAuditContextError(`Use \`write\` for a statement that writes. Statement: ${text}`);
}

export const databaseChecks = { freezeRecords: true, onTransaction: checkLockOrder, onRead: rejectWrites };
