/** How a customer may pay: by card, whatever the card payment provider is called. */
import type { Config } from '../../config.ts';
import { invalid } from '../../errors.ts';

export function paymentMethodOf({ cardProviderName }: Config, given: string | undefined): string {
  if (given === undefined || given === 'CREDIT_CARD') return 'CREDIT_CARD';
  if (given === 'CARD_PROVIDER' || given === cardProviderName) return 'CARD_PROVIDER';
  throw invalid({
    field: 'paymentMethod',
    error: 'INVALID_VALUE',
    message: `Must be one of CREDIT_CARD, CARD_PROVIDER, ${cardProviderName}.`,
  });
}
