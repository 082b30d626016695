/** How a customer may pay: by card, whatever the card payment provider is called, or not at all where there is nothing to pay. */
import type { Config } from '../../config.ts';
import { invalid } from '../../errors.ts';

export function paymentMethodOf({ cardProviderName }: Config, given: string | undefined): string {
  if (given === undefined || given === 'CREDIT_CARD') return 'CREDIT_CARD';
  if (given === 'FREE') return 'FREE';
  if (given === 'CARD_PROVIDER' || given === cardProviderName) return 'CARD_PROVIDER';
  throw invalid({
    field: 'paymentMethod',
    error: 'INVALID_VALUE',
    message: `Must be one of CREDIT_CARD, CARD_PROVIDER, ${cardProviderName}, or FREE.`,
  });
}

/** `FREE` is for totals of zero. */
export function expectPayable(method: string, total: number): void {
  if (method === 'FREE' && total > 0)
    throw invalid({
      field: 'paymentMethod',
      error: 'INVALID_VALUE',
      message: 'FREE is for a total of zero, and there is something to pay.',
    });
}
