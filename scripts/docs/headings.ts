/** Anchors of headings, as code hosts derive them: lower case, punctuation dropped, `-` for spaces. */

/** Returns a function that gives each heading of one page its anchor; the second of two equal ones ends with `-1`. */
export function createAnchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const earlier = seen.get(anchor) ?? 0;
    seen.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  };
}
