/** Registry of erasers: each domain registers how it deletes the personal data of a deleted account and what it retains for accounting. */
import type { Services } from '../../../context.ts';

export interface ErasedPerson {
  userId: string;
  /** Confirmed email addresses (lower case) and phone numbers of the person. */
  contacts: readonly string[];
  /** Time of deletion. Newer data with the same contacts belongs to another account. */
  goneAt: Date;
}

/** Must be idempotent: it is retried until it succeeds. */
type ErasePersonalData = (services: Services, person: ErasedPerson) => Promise<void>;

const erasers: ErasePersonalData[] = [];

export function registerPersonalDataEraser(eraser: ErasePersonalData): void {
  erasers.push(eraser);
}

export async function runPersonalDataErasers(services: Services, person: ErasedPerson): Promise<void> {
  for (const erase of erasers) await erase(services, person);
}
