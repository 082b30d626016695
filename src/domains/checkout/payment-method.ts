/** How a customer may pay: by card, whatever the card payment provider is called, or not at all where there is nothing to pay. */
import type { Config } from '../../config.ts';
import { validationError } from '../../errors.ts';

export function parsePaymentMethod({ cardProviderName }: Config, given: string | undefined): string {
  if (given === undefined || given === 'CREDIT_CARD') return 'CREDIT_CARD';
  if (given === 'FREE') return 'FREE';
  if (given === 'CARD_PROVIDER' || given === cardProviderName) return 'CARD_PROVIDER';
  throw validationError({
    field: 'paymentMethod',
    error: 'INVALID_VALUE',
    message: `Must be one of CREDIT_CARD, CARD_PROVIDER, ${cardProviderName}, or FREE.`,
  });
}

/** `FREE` is for totals of zero. */
export function assertPaymentMethodAllowed(method: string, total: number): void {
  if (method === 'FREE' && total > 0)
    throw validationError({
      field: 'paymentMethod',
      error: 'INVALID_VALUE',
      message: 'FREE is for a total of zero, and there is something to pay.',
    });
}
