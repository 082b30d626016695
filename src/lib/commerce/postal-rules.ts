/** Postal rules by country: country codes, formats of postal codes, and countries that require a region. */

/** All ISO 3166-1 alpha-2 codes, concatenated. */
const codes =
  'ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZ' +
  'ECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZ' +
  'LALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARE' +
  'RORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW';

export const countryCodes: ReadonlySet<string> = new Set(codes.match(/../g));

const digits = (count: number) => new RegExp(`^\\d{${count}}$`);

/** Patterns of postal codes in upper case. A country listed here requires a postal code; others accept any or none. */
export const postalCodePatterns: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    AR: /^(\d{4}|[A-Z]\d{4}[A-Z]{3})$/,
    AT: digits(4),
    AU: digits(4),
    BE: digits(4),
    BG: digits(4),
    BR: /^\d{5}-?\d{3}$/,
    CA: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d$/,
    CH: digits(4),
    CN: digits(6),
    CY: digits(4),
    CZ: /^\d{3} ?\d{2}$/,
    DE: digits(5),
    DK: digits(4),
    EE: digits(5),
    ES: digits(5),
    FI: digits(5),
    FR: digits(5),
    GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/,
    GR: /^\d{3} ?\d{2}$/,
    HR: digits(5),
    HU: digits(4),
    IL: /^\d{5}(\d{2})?$/,
    IN: /^\d{3} ?\d{3}$/,
    IT: digits(5),
    JP: /^\d{3}-?\d{4}$/,
    KR: digits(5),
    LI: digits(4),
    LT: /^(LT-)?\d{5}$/,
    LU: /^(L-)?\d{4}$/,
    LV: /^(LV-)?\d{4}$/,
    MT: /^[A-Z]{3} ?\d{4}$/,
    MX: digits(5),
    NL: /^\d{4} ?[A-Z]{2}$/,
    NO: digits(4),
    NZ: digits(4),
    PL: /^\d{2}-?\d{3}$/,
    PT: /^\d{4}-?\d{3}$/,
    RO: digits(6),
    RU: digits(6),
    SE: /^\d{3} ?\d{2}$/,
    SG: digits(6),
    SI: digits(4),
    SK: /^\d{3} ?\d{2}$/,
    TR: digits(5),
    TW: /^\d{3}(\d{2,3})?$/,
    UA: digits(5),
    US: /^\d{5}(-\d{4})?$/,
    ZA: digits(4),
  }),
);

/** Countries whose addresses require a state, province or prefecture. */
export const countriesRequiringRegion: ReadonlySet<string> = new Set([
  'AU',
  'BR',
  'CA',
  'CN',
  'IN',
  'JP',
  'MX',
  'US',
]);
