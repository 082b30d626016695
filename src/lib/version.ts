/** Optimistic locking: a change may name the version it was made from. */
import { AppError } from '../errors.ts';

export function expectVersion(current: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== current) {
    throw new AppError(
      'PRECONDITION_FAILED',
      `This record has changed since you read it (version ${current}). Read it again.`,
    );
  }
}
