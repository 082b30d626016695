/** Whether the books balance, as the auditor says it. */
import { expect } from 'vitest';
import type { Services } from '../../src/context.ts';
import { auditConsistency } from '../../src/maintenance/consistency-audit.ts';

export async function auditFindings(services: Pick<Services, 'db' | 'payments'>): Promise<string[]> {
  const findings: string[] = [];
  for await (const { about, problem } of auditConsistency(services)) findings.push(`${about}: ${problem}`);
  return findings;
}

/** What is on its way gets a while to arrive. */
export const expectConsistentRecords = (services: Pick<Services, 'db' | 'payments'>): Promise<void> =>
  expect.poll(() => auditFindings(services), { interval: 250 }).toEqual([]);
