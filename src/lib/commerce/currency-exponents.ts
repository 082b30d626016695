/** Decimal places of currencies by ISO 4217, independent of the runtime's locale data. */

const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND';
const fourDecimals = 'CLF UYW';

const exponents = new Map(
  [[noDecimals, 0] as const, [threeDecimals, 3] as const, [fourDecimals, 4] as const].flatMap(
    ([codes, digits]) => codes.split(' ').map((code) => [code, digits] as const),
  ),
);

/** Decimal places of the minor unit: 2 for USD, 0 for JPY, 3 for KWD. Currencies not listed here have 2. */
export const getCurrencyExponent = (currency: string): number => exponents.get(currency.toUpperCase()) ?? 2;
