/** Payment method of a checkout: card, card under the configured provider name, or FREE. */
import type { Config } from '../../config.ts';
import { validationError } from '../../errors.ts';

export function parsePaymentMethod({ cardProviderName }: Config, input: string | undefined): string {
  if (input === undefined || input === 'CREDIT_CARD') return 'CREDIT_CARD';
  if (input === 'FREE') return 'FREE';
  if (input === 'CARD_PROVIDER' || input === cardProviderName) return 'CARD_PROVIDER';
  throw validationError(
    'paymentMethod',
    'INVALID_VALUE',
    `Must be one of CREDIT_CARD, CARD_PROVIDER, ${cardProviderName}, or FREE.`,
  );
}

/** Rejects FREE for a total above 0. */
export function assertPaymentMethodAllowed(method: string, total: number): void {
  if (method === 'FREE' && total > 0)
    throw validationError('paymentMethod', 'INVALID_VALUE', 'FREE is only allowed for a total of 0.');
}
