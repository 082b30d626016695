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

/** Arguments of the deletion of a record, as clients send them. */
export interface DeleteRecordArgs {
  businessId: string;
  id: string;
  version?: number | null | undefined;
  force?: boolean | null | undefined;
}

/** Throws VersionConflictError unless `expected` is absent or the current version. */
export function assertExpectedVersion(current: number, expected: number | null | undefined): void {
  if ((expected ?? current) !== current) throw new VersionConflictError(current);
}

/** Prisma condition for the expected version; empty if undefined. */
export const buildVersionWhere = (expected: number | undefined) =>
  expected === undefined ? {} : { version: expected };
