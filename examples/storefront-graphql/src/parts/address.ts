/** The fields of an address, as orders have them, and how the profile calls the same. */
import type {
  AddressInput,
  PlacePartsFragment,
  PostalAddressInput,
  PostalPartsFragment,
} from '../generated/graphql';
import { field } from '../lib/form.ts';
import { countries } from '../lib/format.ts';

export const addressFields = (known?: Partial<PostalPartsFragment> | null): HTMLElement[] =>
  [
    { name: 'name', label: 'Name', autocomplete: 'name', value: known?.name },
    { name: 'line1', label: 'Street and number', autocomplete: 'address-line1', value: known?.line1 },
    {
      name: 'line2',
      label: 'Floor, flat',
      autocomplete: 'address-line2',
      value: known?.line2,
      optional: true,
    },
    { name: 'city', label: 'City', autocomplete: 'address-level2', value: known?.city },
    {
      name: 'region',
      label: 'State or region',
      autocomplete: 'address-level1',
      value: known?.region,
      optional: true,
    },
    {
      name: 'postalCode',
      label: 'Postal code',
      autocomplete: 'postal-code',
      value: known?.postalCode,
      optional: true,
    },
    { name: 'country', label: 'Country', autocomplete: 'country', value: known?.country, options: countries },
  ].map(field);

type Values = Readonly<Record<string, string>>;

export const postalOf = (values: Values): PostalAddressInput => ({
  name: values.name ?? '',
  line1: values.line1 ?? '',
  city: values.city ?? '',
  country: values.country ?? '',
  ...(values.line2 ? { line2: values.line2 } : {}),
  ...(values.region ? { region: values.region } : {}),
  ...(values.postalCode ? { postalCode: values.postalCode } : {}),
});

export const placeOf = (values: Values): AddressInput => {
  const { line1, region, postalCode, ...rest } = postalOf(values);
  return { ...rest, street: line1, state: region, zip: postalCode };
};

export const postalFrom = ({ street, state, zip, ...rest }: PlacePartsFragment) => ({
  ...rest,
  line1: street,
  region: state,
  postalCode: zip,
});
