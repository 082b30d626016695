/** The text of a block in the locale somebody reads. Pure. */

/** What a reader of `locale` gets: that locale, its language, what comes next in `fallbacks`, or any text there is. */
export function textInLocale(
  value: unknown,
  locale: string | undefined,
  ...fallbacks: string[]
): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const texts = new Map(
    Object.entries(value).flatMap(([key, text]) =>
      typeof text === 'string' ? [[normalised(key), text] as const] : [],
    ),
  );
  for (const wanted of [locale, ...fallbacks]) {
    if (wanted === undefined) continue;
    const text = texts.get(normalised(wanted)) ?? texts.get(languageOf(wanted));
    if (text !== undefined) return text;
  }
  return texts.values().next().value;
}

/** The first of `locales`, or the language of one, in which there is a text, and under which name it is kept. */
export function findFirstLocaleText(
  texts: Readonly<Record<string, unknown>>,
  locales: readonly string[],
): { locale: string; text: string } | undefined {
  const kept = new Map(Object.keys(texts).map((key) => [normalised(key), key]));
  for (const wanted of locales)
    for (const name of [normalised(wanted), languageOf(wanted)]) {
      const locale = kept.get(name);
      const text = locale === undefined ? undefined : texts[locale];
      if (locale !== undefined && typeof text === 'string' && text !== '') return { locale, text };
    }
  return undefined;
}

const normalised = (locale: string) => locale.toLowerCase().replaceAll('_', '-');
const languageOf = (locale: string) => normalised(locale).split('-')[0] ?? '';
