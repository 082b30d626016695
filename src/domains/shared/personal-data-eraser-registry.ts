/** Registry of erasers: each domain registers how it deletes the personal data of a deleted account and what it retains for accounting. */
import type { Services } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';

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

/** Runs in the transaction that deletes the account: ends what must not outlive it, such as recurring payments. */
type AccountDeletionHook = (
  services: Services,
  tx: QueryHandle,
  person: Omit<ErasedPerson, 'goneAt'>,
) => Promise<void>;

const deletionHooks: AccountDeletionHook[] = [];

export function registerAccountDeletionHook(hook: AccountDeletionHook): void {
  deletionHooks.push(hook);
}

export const runAccountDeletionHooks: AccountDeletionHook = async (services, tx, person) => {
  for (const hook of deletionHooks) await hook(services, tx, person);
};

export async function runPersonalDataErasers(services: Services, person: ErasedPerson): Promise<void> {
  for (const erase of erasers) await erase(services, person);
}
