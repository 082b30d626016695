/** Money, dates and countries as people write them. */

const formats = new Map<string, Intl.NumberFormat>();

const formatOf = (currency: string) => {
  const known = formats.get(currency);
  if (known) return known;
  const format = new Intl.NumberFormat(navigator.language, { style: 'currency', currency });
  formats.set(currency, format);
  return format;
};

/** Amounts come in minor units: cents, or yen. */
export function money(amount: number, currency: string): string {
  const format = formatOf(currency);
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

export const day = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString(navigator.language, { dateStyle: 'medium' });

export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;

const countryNames = new Intl.DisplayNames(navigator.language, { type: 'region' });

export const countries = 'US AT BE CA CH DE DK ES FR GB IE IT NL PL PT SE'
  .split(' ')
  .map((code): [code: string, name: string] => [code, countryNames.of(code) ?? code]);

interface Place {
  name?: string | null;
  line1?: string | null;
  line2?: string | null;
  city?: string | null;
  region?: string | null;
  postalCode?: string | null;
  country?: string | null;
}

/** An address in one line. */
export const inOneLine = ({ name, line1, line2, city, region, postalCode, country }: Place): string =>
  [name, line1, line2, city, [region, postalCode].filter(Boolean).join(' '), country]
    .filter(Boolean)
    .join(', ');
