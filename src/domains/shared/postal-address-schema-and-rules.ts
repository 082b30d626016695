/** Postal addresses: shape, zod schema and the rules of countries for regions and postal codes. */
import { z } from 'zod';
import type { DetailCode } from '../../detail-codes.ts';
import {
  countriesRequiringRegion,
  countryCodes,
  postalCodePatterns,
} from '../../lib/commerce/postal-rules.ts';
import {
  buildOneOfCodesSchema,
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
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

interface AddressError {
  field: 'region' | 'postalCode';
  error: DetailCode;
  message: string;
}

/** Fields that failed validation are undefined. */
type CountryRuleInput = { [Part in 'country' | 'region' | 'postalCode']?: string | undefined };

/** Returns the violations of the rules of the country. Pure. */
export function findCountryAddressErrors({ country, region, postalCode }: CountryRuleInput): AddressError[] {
  if (country === undefined) return [];
  const pattern = postalCodePatterns.get(country);
  const errors: AddressError[] = [];
  if (countriesRequiringRegion.has(country) && !region)
    errors.push({ field: 'region', error: 'REQUIRED', message: `Addresses in ${country} need a region.` });
  if (pattern && !postalCode)
    errors.push({
      field: 'postalCode',
      error: 'REQUIRED',
      message: `Addresses in ${country} need a postal code.`,
    });
  else if (pattern && postalCode && !pattern.test(postalCode))
    errors.push({
      field: 'postalCode',
      error: 'INVALID_FORMAT',
      message: `This is not a postal code of ${country}.`,
    });
  return errors;
}

/** An empty text counts as undefined. */
const optionalPart = (max: number) =>
  optionalInput(buildTextSchema(max)).transform((value) => value?.trim() || undefined);

export const postalAddressSchema = z
  .object({
    name: buildRequiredTextSchema(200),
    company: optionalPart(200),
    line1: buildRequiredTextSchema(200),
    line2: optionalPart(200),
    city: buildRequiredTextSchema(200),
    region: optionalPart(100),
    postalCode: optionalPart(20).transform((code) => code?.toUpperCase()),
    country: buildOneOfCodesSchema(
      countryCodes,
      detailCodeRefineOptions('INVALID_VALUE', 'Must be an ISO 3166-1 code, such as DE.'),
    ),
    phone: optionalPart(50),
  })
  .superRefine(
    (address: unknown, ctx) => {
      const fields = (address ?? {}) as Record<string, unknown>;
      const textField = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined);
      const parts = {
        country: textField('country'),
        region: textField('region'),
        postalCode: textField('postalCode'),
      };
      for (const { field, error, message } of findCountryAddressErrors(parts))
        ctx.addIssue({ code: 'custom', path: [field], message, params: { error } });
    },
    { when: () => true },
  );
