/** Formats of money, dates, countries and addresses in the visitor's language. */

const formats = new Map<string, Intl.NumberFormat>();

const formatOf = (currency: string) => {
  const cached = formats.get(currency);
  if (cached) return cached;
  const format = new Intl.NumberFormat(navigator.language, { style: 'currency', currency });
  formats.set(currency, format);
  return format;
};

/** `amount` is in minor units: cents, or yen. */
export function money(amount: number, currency: string): string {
  const format = formatOf(currency);
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

export const day = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString(navigator.language, { dateStyle: 'medium' });

export const formatCount = (count: number, singular: string, plural = `${singular}s`) =>
  `${count} ${count === 1 ? singular : plural}`;

const countryNames = new Intl.DisplayNames(navigator.language, { type: 'region' });

export const countries = 'US AT BE CA CH DE DK ES FR GB IE IT NL PL PT SE'
  .split(' ')
  .map((code): [code: string, name: string] => [code, countryNames.of(code) ?? code]);

interface PostalAddress {
  name?: string | null;
  line1?: string | null;
  line2?: string | null;
  city?: string | null;
  region?: string | null;
  postalCode?: string | null;
  country?: string | null;
}

/** Address in one line. */
export const formatAddress = ({
  name,
  line1,
  line2,
  city,
  region,
  postalCode,
  country,
}: PostalAddress): string =>
  [name, line1, line2, city, [region, postalCode].filter(Boolean).join(' '), country]
    .filter(Boolean)
    .join(', ');
