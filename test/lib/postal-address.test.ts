/** Required fields and formats of postal addresses by country. */
import { describe, expect, it } from 'vitest';
import {
  findCountryAddressErrors,
  postalAddressSchema,
} from '../../src/domains/shared/postal-address-schema-and-rules.ts';
import {
  countriesRequiringRegion,
  countryCodes,
  postalCodePatterns,
} from '../../src/lib/commerce/postal-rules.ts';

describe('countries', () => {
  it('have the codes of ISO 3166-1', () => {
    expect(countryCodes.size).toBe(249);
    const displayNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    expect([...countryCodes].filter((code) => displayNames.of(code) === undefined)).toEqual([]);
    for (const code of [...postalCodePatterns.keys(), ...countriesRequiringRegion])
      expect(countryCodes).toContain(code);
  });

  it.each([
    ['DE', undefined, '28195', []],
    ['DE', undefined, '2819', ['postalCode INVALID_FORMAT']],
    ['DE', undefined, undefined, ['postalCode REQUIRED']],
    ['US', 'CA', '94103', []],
    ['US', 'CA', '94103-1234', []],
    ['US', undefined, undefined, ['region REQUIRED', 'postalCode REQUIRED']],
    ['US', undefined, '9410', ['region REQUIRED', 'postalCode INVALID_FORMAT']],
    ['CA', 'ON', 'K1A 0B1', []],
    ['CA', 'ON', 'D1A 0B1', ['postalCode INVALID_FORMAT']],
    ['GB', undefined, 'SW1A 1AA', []],
    ['GB', undefined, 'M1 1AE', []],
    ['GB', undefined, '12345', ['postalCode INVALID_FORMAT']],
    ['NL', undefined, '1012 AB', []],
    ['PL', undefined, '00-950', []],
    ['JP', 'Tokyo', '100-0001', []],
    ['JP', undefined, '100-0001', ['region REQUIRED']],
    ['BR', 'SP', '01310-100', []],
    ['HK', undefined, undefined, []],
    ['IE', undefined, 'D02 X285', []],
    ['AE', undefined, undefined, []],
    [undefined, undefined, undefined, []],
    // Properties that every object inherits are not countries.
    ['__proto__', undefined, '1', []],
    ['constructor', undefined, '1', []],
    ['valueOf', undefined, undefined, []],
  ])('%s, region %s, postal code %s: %j', (country, region, postalCode, errors) => {
    const details = findCountryAddressErrors({ country, region, postalCode });
    expect(details.map(({ field, error }) => `${field} ${error}`)).toEqual(errors);
  });

  it('and postal codes are accepted in any letter case; blank fields are dropped', () => {
    const input = {
      name: ' Ada ',
      line1: 'Dam 1',
      line2: ' ',
      city: 'Amsterdam',
      postalCode: '1012 ab',
      country: 'nl',
    };
    expect(postalAddressSchema.parse(input)).toEqual({
      name: 'Ada',
      line1: 'Dam 1',
      city: 'Amsterdam',
      postalCode: '1012 AB',
      country: 'NL',
    });
  });
});
