/** A postal address that something can be sent to: checked for what its country needs. */
import { z } from 'zod';
import type { DetailCode } from '../../detail-codes.ts';
import {
  countriesRequiringRegion,
  countryCodes,
  postalCodePatterns,
} from '../../lib/commerce/postal-rules.ts';
import {
  codeSchema,
  optionalInput,
  requiredTextSchema,
  textSchema,
  withDetailCode,
} from '../../lib/validation/input.ts';

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
export function findCountryRuleErrors({ country, region, postalCode }: InCountry): AddressFault[] {
  if (country === undefined) return [];
  const pattern = postalCodePatterns.get(country);
  const faults: AddressFault[] = [];
  if (countriesRequiringRegion.has(country) && !region)
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
const part = (max: number) => optionalInput(textSchema(max)).transform((value) => value?.trim() || undefined);

export const postalAddressSchema = z
  .object({
    name: requiredTextSchema(200),
    company: part(200),
    line1: requiredTextSchema(200),
    line2: part(200),
    city: requiredTextSchema(200),
    region: part(100),
    postalCode: part(20).transform((code) => code?.toUpperCase()),
    country: codeSchema(
      countryCodes,
      withDetailCode('INVALID_VALUE', 'Must be an ISO 3166-1 code, such as DE.'),
    ),
    phone: part(50),
  })
  .superRefine(
    (address: unknown, ctx) => {
      const found = (address ?? {}) as Record<string, unknown>;
      const said = (name: string) => (typeof found[name] === 'string' ? found[name] : undefined);
      const parts = { country: said('country'), region: said('region'), postalCode: said('postalCode') };
      for (const { field, error, message } of findCountryRuleErrors(parts))
        ctx.addIssue({ code: 'custom', path: [field], message, params: { error } });
    },
    { when: () => true },
  );
