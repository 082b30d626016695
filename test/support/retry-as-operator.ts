/** The operator's work after failures: retries everything, and drops refunds whose money has been returned in another way. */
import { AppError } from '../../src/errors.ts';
import { dropFailedWork, type FailedWorkItem, retryFailedWork } from '../../src/maintenance/failed-work.ts';
import type { TestApp } from './test-app.ts';

export async function retryAsOperator(t: TestApp, failures: readonly FailedWorkItem[]): Promise<void> {
  const { services } = t.app;
  for (const { kind, id } of failures) {
    try {
      await retryFailedWork(services, kind, id);
    } catch (error) {
      if (!isRefundTooLarge(error)) throw error;
      await dropFailedWork(services, kind, id);
    }
  }
}

const isRefundTooLarge = (error: unknown): boolean =>
  error instanceof AppError && error.details.some((detail) => detail.error === 'REFUND_TOO_LARGE');
