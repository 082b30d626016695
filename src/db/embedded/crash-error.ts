/** Error after a crash of the embedded database, with the reason and what to do. */
import { isDiskAlmostFull } from './disk-space.ts';

/** Error of the statement that crashed and of all later ones. Its SQLSTATE, crash_shutdown, leaves open whether a commit took effect. */
class DatabaseCrashError extends Error {
  override name = 'DatabaseCrashError';
  readonly code = '57P02';
}

export function createDatabaseCrashError(reason: unknown, directory: string | undefined): DatabaseCrashError {
  const message = reason instanceof Error ? reason.message : String(reason);
  const noSpace = /No space left/.test(message) || (directory !== undefined && isDiskAlmostFull(directory));
  return new DatabaseCrashError(
    noSpace
      ? `No space is left on the disk of ${directory}: the embedded database has stopped. Free some space and restart the gateway. No committed data is lost.`
      : `The embedded database in ${directory} has stopped. Restart the gateway.`,
    { cause: reason },
  );
}
