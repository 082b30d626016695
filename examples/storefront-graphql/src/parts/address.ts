/** Address fields of forms, and conversion between order addresses and profile addresses, whose fields have other names. */
import type {
  AddressInput,
  PlacePartsFragment,
  PostalAddressInput,
  PostalPartsFragment,
} from '../generated/graphql';
import { field, setRequired } from '../lib/form.ts';
import { countries } from '../lib/format.ts';

/** Countries of the list whose addresses need a region, and those that have no postal codes. */
const countriesWithRegion = ['US', 'CA'];
const countriesWithoutPostalCode = ['IE'];

/** Fields that the chosen country requires are required in the form, too. */
export function addressFields(current?: Partial<PostalPartsFragment> | null): HTMLElement[] {
  const fields = buildFields(current);
  const control = (name: string) =>
    fields
      .map((element) => element.querySelector<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`))
      .find((element) => element !== null);
  const country = control('country');
  const update = () => {
    setRequired(control('region'), countriesWithRegion.includes(country?.value ?? ''));
    setRequired(control('postalCode'), !countriesWithoutPostalCode.includes(country?.value ?? ''));
  };
  country?.addEventListener('change', update);
  update();
  return fields;
}

const buildFields = (current?: Partial<PostalPartsFragment> | null): HTMLElement[] =>
  [
    { name: 'name', label: 'Name', autocomplete: 'name', value: current?.name },
    { name: 'line1', label: 'Street and number', autocomplete: 'address-line1', value: current?.line1 },
    {
      name: 'line2',
      label: 'Floor, flat',
      autocomplete: 'address-line2',
      value: current?.line2,
      optional: true,
    },
    { name: 'city', label: 'City', autocomplete: 'address-level2', value: current?.city },
    {
      name: 'region',
      label: 'State or region',
      autocomplete: 'address-level1',
      value: current?.region,
      optional: true,
    },
    {
      name: 'postalCode',
      label: 'Postal code',
      autocomplete: 'postal-code',
      value: current?.postalCode,
      optional: true,
    },
    {
      name: 'country',
      label: 'Country',
      autocomplete: 'country',
      value: current?.country,
      options: countries,
    },
  ].map(field);

type Values = Readonly<Record<string, string>>;

export const toPostalAddress = (values: Values): PostalAddressInput => ({
  name: values.name ?? '',
  line1: values.line1 ?? '',
  city: values.city ?? '',
  country: values.country ?? '',
  ...(values.line2 ? { line2: values.line2 } : {}),
  ...(values.region ? { region: values.region } : {}),
  ...(values.postalCode ? { postalCode: values.postalCode } : {}),
});

export const toProfileAddress = (values: Values): AddressInput => {
  const { line1, region, postalCode, ...rest } = toPostalAddress(values);
  return { ...rest, street: line1, state: region, zip: postalCode };
};

export const fromProfileAddress = ({ street, state, zip, ...rest }: PlacePartsFragment) => ({
  ...rest,
  line1: street,
  region: state,
  postalCode: zip,
});
