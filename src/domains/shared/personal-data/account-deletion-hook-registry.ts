/** Registry of steps that domains add to the transaction that deletes an account. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { ErasedPerson } from './personal-data-eraser-registry.ts';

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
