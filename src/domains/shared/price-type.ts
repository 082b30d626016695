/** A price in the schema: an amount that knows its currency and how people write it. */
import { validationError } from '../../errors.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { formatMoney } from '../../lib/commerce/format-money.ts';

export interface PriceAmount {
  amount: number;
  currency: string;
}

const maxLocaleLength = 35;

export const PriceType = builder.objectRef<PriceAmount>('Price').implement({
  description: 'An amount of money in its currency.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Money', description: 'In minor units.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    formatted: t.string({
      description: 'As people write it, such as `$1,234.56`. Exact in every currency.',
      args: {
        locale: t.arg.string({
          defaultValue: 'en-US',
          description: 'Whose way of writing, such as `de-AT`.',
        }),
      },
      resolve: ({ amount, currency }, { locale }) =>
        formatMoney(amount, currency, knownLocale(locale ?? 'en-US')),
    }),
  }),
});

function knownLocale(locale: string): string {
  try {
    const [known] = locale.length > maxLocaleLength ? [] : Intl.getCanonicalLocales(locale);
    if (known) return known;
  } catch {
    // Said below.
  }
  throw validationError({
    field: 'locale',
    error: 'INVALID_LOCALE',
    message: 'Must be a locale such as en or de-AT.',
  });
}
