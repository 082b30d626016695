/** Runs the consistency audit on the database of a test. */
import { expect } from 'vitest';
import type { Services } from '../../src/context.ts';
import { streamConsistencyFindings } from '../../src/maintenance/consistency-audit.ts';

export async function auditFindings(services: Pick<Services, 'db' | 'payments'>): Promise<string[]> {
  const findings: string[] = [];
  for await (const { about, problem } of streamConsistencyFindings(services))
    findings.push(`${about}: ${problem}`);
  return findings;
}

/** Polls until the audit reports nothing, because jobs may still be running. */
export const expectConsistentRecords = (services: Pick<Services, 'db' | 'payments'>): Promise<void> =>
  expect.poll(() => auditFindings(services), { interval: 250 }).toEqual([]);
