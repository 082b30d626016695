/** What is left of people who deleted their account: each domain says how it removes what it has, and keeps its books. */
import type { Services } from '../../context.ts';

export interface ErasedPerson {
  userId: string;
  /** Email addresses in lower case and phone numbers that were proved to be theirs. */
  contacts: readonly string[];
  /** What is newer is about somebody who came later. */
  goneAt: Date;
}

/** Repeated until it has succeeded: it begins where it was interrupted. */
export type Eraser = (services: Services, person: ErasedPerson) => Promise<void>;

const erasers: Eraser[] = [];

export function registerEraser(eraser: Eraser): void {
  erasers.push(eraser);
}

export async function runErasers(services: Services, person: ErasedPerson): Promise<void> {
  for (const erase of erasers) await erase(services, person);
}
