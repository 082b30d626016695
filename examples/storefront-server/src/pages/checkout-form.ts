/** Form for the guest's email address, the postal address and the shipping method. */
import { randomUUID } from 'node:crypto';
import type { CartPartsFragment } from '../generated/graphql.ts';
import { type Html, html } from '../lib/html.ts';
import { field } from '../lib/page.ts';

export interface CheckoutState {
  /** Values of a rejected form. */
  values?: URLSearchParams;
  /** Error message by name of the field. */
  fieldErrors?: Readonly<Record<string, string>>;
  /** Errors that belong to no field. */
  error?: readonly string[] | undefined;
}

export const countries = ['US', 'AT', 'CA', 'CH', 'DE', 'FR', 'GB', 'IT', 'NL'];

const addressFields = [
  { name: 'name', label: 'Name', autocomplete: 'name' },
  { name: 'line1', label: 'Street and number', autocomplete: 'address-line1' },
  { name: 'city', label: 'City', autocomplete: 'address-level2' },
  {
    name: 'region',
    label: 'State or region, where there is one',
    autocomplete: 'address-level1',
    isOptional: true,
  },
  { name: 'postalCode', label: 'Postal code', autocomplete: 'postal-code' },
];

/** Fields that show their error. */
export const checkedFields: readonly string[] = ['email', ...addressFields.map(({ name }) => name)];

export function checkoutForm(
  { email, shippingOptions }: CartPartsFragment,
  { values, fieldErrors = {} }: CheckoutState,
): Html {
  const submitted = (name: string) => values?.get(name);
  return html`<form method="post" action="/checkout"><input type="hidden" name="attempt" value="${randomUUID()}">
<fieldset><legend>Shipping</legend>${shippingOptions.map(
    ({ shippingMethodId, name, price, isSelected }) =>
      html`<label class="choice"><input type="radio" name="shippingMethodId" value="${shippingMethodId}" required${isSelected && html` checked`}> ${name} <span class="soft">${price.formatted}</span></label>`,
  )}</fieldset>
${field({ name: 'email', label: 'Email for news about the order', type: 'email', autocomplete: 'email', value: submitted('email') ?? email, error: fieldErrors.email })}
${addressFields.map((address) => field({ ...address, value: submitted(address.name), error: fieldErrors[address.name] }))}
<div class="field"><label for="country">Country</label><select id="country" name="country" autocomplete="country">${countries.map(
    (code) => html`<option${code === submitted('country') && html` selected`}>${code}</option>`,
  )}</select></div>
<button class="main">Check out</button></form>`;
}
