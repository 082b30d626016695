/** Selects texts of localised blocks by locale. Pure. */

/** Text in `locale`, else in its language, else in the `fallbacks` in order, else any text. */
export function findTextInLocale(
  value: unknown,
  locale: string | undefined,
  ...fallbacks: string[]
): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const texts = new Map(
    Object.entries(value).flatMap(([key, text]) =>
      typeof text === 'string' ? [[normalizeLocale(key), text] as const] : [],
    ),
  );
  for (const requestedLocale of [locale, ...fallbacks]) {
    if (requestedLocale === undefined) continue;
    const text = texts.get(normalizeLocale(requestedLocale)) ?? texts.get(languageOf(requestedLocale));
    if (text !== undefined) return text;
  }
  return texts.values().next().value;
}

/** First of `locales`, or its language, that has a non-empty text. The returned locale is the stored key, such as `de_AT` for the request `de-at`. */
export function findFirstLocaleText(
  texts: Readonly<Record<string, unknown>>,
  locales: readonly string[],
): { locale: string; text: string } | undefined {
  const storedKeys = new Map(Object.keys(texts).map((key) => [normalizeLocale(key), key]));
  for (const requestedLocale of locales)
    for (const key of [normalizeLocale(requestedLocale), languageOf(requestedLocale)]) {
      const locale = storedKeys.get(key);
      const text = locale === undefined ? undefined : texts[locale];
      if (locale !== undefined && typeof text === 'string' && text !== '') return { locale, text };
    }
  return undefined;
}

const normalizeLocale = (locale: string) => locale.toLowerCase().replaceAll('_', '-');
const languageOf = (locale: string) => normalizeLocale(locale).split('-')[0] ?? '';
