/** Registry of steps that domains add to the deletion of a business. */
import type { Services } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';

/** Runs in the transaction before the rows are deleted. The function that it returns runs after them. */
type BusinessDeletionHook = (
  services: Services,
  tx: QueryHandle,
  businessId: string,
) => Promise<() => Promise<void>>;

const hooks: BusinessDeletionHook[] = [];

export function registerBusinessDeletionHook(hook: BusinessDeletionHook): void {
  hooks.push(hook);
}

export const runBusinessDeletionHooks: BusinessDeletionHook = async (services, tx, businessId) => {
  const finishers: (() => Promise<void>)[] = [];
  for (const hook of hooks) finishers.push(await hook(services, tx, businessId));
  return async () => {
    for (const finish of finishers) await finish();
  };
};
