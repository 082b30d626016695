/** Locales: supported languages of mails, and negotiation of a client's language. */

export const supportedLanguages = ['en', 'de', 'fr', 'es', 'it'] as const;
export type SupportedLanguage = (typeof supportedLanguages)[number];

/** Language of a locale such as `de-AT`; English for unsupported languages. */
export const supportedLanguageOfLocale = (locale: string | undefined): SupportedLanguage =>
  supportedLanguages.find((language) => language === locale?.toLowerCase().split('-')[0]) ?? 'en';

/** Canonical form of a locale: language and region, such as `de-AT`; undefined if invalid. */
export function canonicalizeLocale(value: string): string | undefined {
  // Longer tags carry extensions such as numbering systems and collations.
  if (value.length > 35) return undefined;
  try {
    const { language, region } = new Intl.Locale(value);
    return region === undefined ? language : `${language}-${region}`;
  } catch {
    return undefined;
  }
}

const maxTags = 20;

/** Supported locale with the highest weight in an `Accept-Language` header; undefined if none is supported. */
export function negotiateLocale(header: string | undefined): string | undefined {
  if (!header) return undefined;
  const accepted = header.split(',', maxTags).map((part) => {
    const [tag = '', ...params] = part.split(';').map((text) => text.trim());
    const weight = params.find((param) => param.startsWith('q='));
    return { locale: canonicalizeLocale(tag), weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
  return accepted
    .filter(
      ({ locale, weight }) =>
        weight > 0 && supportedLanguages.some((language) => language === locale?.split('-')[0]),
    )
    .sort((a, b) => b.weight - a.weight)[0]?.locale;
}
