/** Optimistic locking: every change increases the version of a record, and may require the version it was based on. */
import { AppError } from '../errors.ts';

/** The change is based on another version than the current one. */
export class VersionConflictError extends AppError {
  readonly current: number;

  constructor(current: number) {
    super(
      'PRECONDITION_FAILED',
      `The record has changed since you read it (current version ${current}). Read it again.`,
    );
    this.current = current;
  }
}

/** Throws VersionConflictError unless `expected` is undefined or the current version. */
export function assertExpectedVersion(current: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== current) throw new VersionConflictError(current);
}

/** Prisma condition for the expected version; empty if undefined. */
export const buildVersionWhere = (expected: number | undefined) =>
  expected === undefined ? {} : { version: expected };
