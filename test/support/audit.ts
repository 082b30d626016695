/** Whether the books balance, as the auditor says it. */
import { expect } from 'vitest';
import { audit } from '../../src/audit.ts';
import type { Services } from '../../src/context.ts';

export async function findingsOf(services: Pick<Services, 'db' | 'payments'>): Promise<string[]> {
  const findings: string[] = [];
  for await (const { about, problem } of audit(services)) findings.push(`${about}: ${problem}`);
  return findings;
}

/** What is on its way gets a while to arrive. */
export const expectBalance = (services: Pick<Services, 'db' | 'payments'>): Promise<void> =>
  expect.poll(() => findingsOf(services), { interval: 250 }).toEqual([]);
