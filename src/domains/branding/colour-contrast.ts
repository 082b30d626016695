/** Readable text colours by the contrast formula of WCAG 2. Pure. */

const [dark, light] = ['#18181b', '#ffffff'] as const;

/** `#rgb` and `#rrggbb` in any case as `#rrggbb` in lower case; undefined for other values. */
export function normalizeHexColour(value: string): string | undefined {
  if (/^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase();
  if (!/^#[0-9a-f]{3}$/i.test(value)) return undefined;
  return `#${[...value.slice(1).toLowerCase()].map((digit) => digit + digit).join('')}`;
}

/** Relative luminance of `#rrggbb`, from 0 (black) to 1 (white). */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio from 1 to 21; text needs 4.5. */
export function computeContrastRatio(firstColour: string, secondColour: string): number {
  const [lower = 0, higher = 0] = [luminanceOf(firstColour), luminanceOf(secondColour)].sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

/** Near-black or white, whichever contrasts more: at least 4.2 on any colour, 4.5 with pure black. */
export function chooseReadableTextColour(background: string): string {
  if (computeContrastRatio(background, light) >= 4.5) return light;
  return computeContrastRatio(background, dark) >= 4.5 ? dark : '#000000';
}
