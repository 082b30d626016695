/** Currencies and their minor units after ISO 4217, whatever the locale data of the runtime says. */

const without = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const thousandths = 'BHD IQD JOD KWD LYD OMR TND';
const tenThousandths = 'CLF UYW';

const exponents = new Map(
  [[without, 0] as const, [thousandths, 3] as const, [tenThousandths, 4] as const].flatMap(
    ([codes, digits]) => codes.split(' ').map((code) => [code, digits] as const),
  ),
);

/** How many decimals the minor unit stands behind: 2 for USD, 0 for JPY, 3 for KWD. All that are not named have two. */
export const currencyExponent = (currency: string): number => exponents.get(currency.toUpperCase()) ?? 2;
