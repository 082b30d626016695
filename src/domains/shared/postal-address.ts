/** A postal address that something can be sent to: checked for what its country needs. */
import { z } from 'zod';
import type { DetailCode } from '../../detail-codes.ts';
import { countryCodes, postalCodes, regionsNeeded } from '../../lib/countries.ts';
import { codeOf, optional, requiredText, rule, text } from '../../lib/input.ts';

export interface PostalAddress {
  name: string;
  company?: string | undefined;
  line1: string;
  line2?: string | undefined;
  city: string;
  /** State, province or prefecture. */
  region?: string | undefined;
  postalCode?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country: string;
  phone?: string | undefined;
}

interface AddressFault {
  field: 'region' | 'postalCode';
  error: DetailCode;
  message: string;
}

/** Some of it may be wrong, and is not known then. */
type InCountry = { [Part in 'country' | 'region' | 'postalCode']?: string | undefined };

/** What the country misses in an address. Pure. */
export function faultsInCountry({ country, region, postalCode }: InCountry): AddressFault[] {
  if (country === undefined) return [];
  const pattern = postalCodes.get(country);
  const faults: AddressFault[] = [];
  if (regionsNeeded.has(country) && !region)
    faults.push({ field: 'region', error: 'REQUIRED', message: `Addresses in ${country} need a region.` });
  if (pattern && !postalCode)
    faults.push({
      field: 'postalCode',
      error: 'REQUIRED',
      message: `Addresses in ${country} need a postal code.`,
    });
  else if (pattern && postalCode && !pattern.test(postalCode))
    faults.push({
      field: 'postalCode',
      error: 'INVALID_FORMAT',
      message: `This is not a postal code of ${country}.`,
    });
  return faults;
}

/** An empty text means that there is none. */
const part = (max: number) => optional(text(max)).transform((value) => value?.trim() || undefined);

export const postalAddressCheck = z
  .object({
    name: requiredText(200),
    company: part(200),
    line1: requiredText(200),
    line2: part(200),
    city: requiredText(200),
    region: part(100),
    postalCode: part(20).transform((code) => code?.toUpperCase()),
    country: codeOf(countryCodes, rule('INVALID_VALUE', 'Must be an ISO 3166-1 code, such as DE.')),
    phone: part(50),
  })
  .superRefine(
    (address: unknown, ctx) => {
      const found = (address ?? {}) as Record<string, unknown>;
      const said = (name: string) => (typeof found[name] === 'string' ? found[name] : undefined);
      const parts = { country: said('country'), region: said('region'), postalCode: said('postalCode') };
      for (const { field, error, message } of faultsInCountry(parts))
        ctx.addIssue({ code: 'custom', path: [field], message, params: { error } });
    },
    { when: () => true },
  );
