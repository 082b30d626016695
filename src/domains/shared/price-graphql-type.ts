/** GraphQL type `Price`: the type of all amounts with amount, currency and localised format. */
import { validationError } from '../../errors.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import { formatMoney, toDecimal } from '../../lib/commerce/format-money.ts';

interface PriceAmount {
  amount: number;
  currency: string;
}

const maxLocaleLength = 35;

export const PriceGraphqlType = builder.objectRef<PriceAmount>('Price').implement({
  description: 'Amount of money with its currency.',
  fields: outputFields((t) => ({
    amount: ['Money!', 'In minor units.'],
    decimal: t.string({
      pure: true,
      description:
        'Decimal number with the decimal places of the currency, such as `1234.56` or, in yen, `1235`.',
      resolve: ({ amount, currency }) => toDecimal(amount, currency),
    }),
    currency: ['String!', 'ISO 4217 code, in upper case.'],
    formatted: t.string({
      description: 'Localised text, such as `$1,234.56`. Exact for every currency.',
      args: {
        locale: t.arg.string({
          defaultValue: 'en-US',
          description: 'BCP 47 locale of the format, such as `de-AT`.',
        }),
      },
      resolve: ({ amount, currency }, { locale }) =>
        formatMoney(amount, currency, requireLocale(locale ?? 'en-US')),
    }),
  })),
});

function requireLocale(locale: string): string {
  try {
    const [canonical] = locale.length > maxLocaleLength ? [] : Intl.getCanonicalLocales(locale);
    if (canonical) return canonical;
  } catch {
    // Reported as INVALID_LOCALE below.
  }
  throw validationError('locale', 'INVALID_LOCALE', 'Must be a locale such as en or de-AT.');
}
