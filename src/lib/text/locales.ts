/** The languages that people are written in, and which of them somebody reads. */

export const supportedLanguages = ['en', 'de', 'fr', 'es', 'it'] as const;
export type SupportedLanguage = (typeof supportedLanguages)[number];

/** The language of a locale such as `de-AT`; English for all that nobody has written. */
export const languageOfLocale = (locale: string | undefined): SupportedLanguage =>
  supportedLanguages.find((language) => language === locale?.toLowerCase().split('-')[0]) ?? 'en';

/** A locale as it is written everywhere, such as `de-AT`; undefined when it is none. */
export function canonicalizeLocale(sent: string): string | undefined {
  // Longer ones say how to write digits and sort names.
  if (sent.length > 35) return undefined;
  try {
    const { language, region } = new Intl.Locale(sent);
    return region === undefined ? language : `${language}-${region}`;
  } catch {
    return undefined;
  }
}

const mostAccepted = 20;

/** The first locale of an `Accept-Language` header, by its weights, that somebody has written texts for. */
export function negotiateLocale(header: string | undefined): string | undefined {
  const wishes = (header ?? '').split(',', mostAccepted).map((part) => {
    const [tag = '', ...params] = part.split(';').map((text) => text.trim());
    const weight = params.find((param) => param.startsWith('q='));
    return { locale: canonicalizeLocale(tag), weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
  return wishes
    .filter(
      ({ locale, weight }) => weight > 0 && supportedLanguages.some((one) => one === locale?.split('-')[0]),
    )
    .sort((one, other) => other.weight - one.weight)[0]?.locale;
}
