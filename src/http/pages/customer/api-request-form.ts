/** Form of the account pages: sends an API request and shows success or the error message. */
import type { ShopBrand } from '../../../domains/branding/model.ts';
import { type Html, safeHtml } from '../html-template-and-page-frame.ts';
import { renderCardPage } from './customer-page-layout.ts';

interface Form {
  fields: Html;
  button: string;
  /** JavaScript expression of the request that the button sends. */
  call: string;
  /** Message after success; `{email}` is replaced by the value of the email field. */
  done: string;
  brand?: ShopBrand;
  /** Link after success. */
  next?: { href: string; label: string };
  status?: number;
}

const showPassword = safeHtml`<label class="choice" hidden><input id="show" type="checkbox"> Show the password</label>`;

export const renderApiRequestForm = (
  title: string,
  { fields, button, call, done, brand, next, status }: Form,
) =>
  renderCardPage(
    title,
    safeHtml`<p class="alert" role="alert"></p><p class="good" role="status" data-done="${done}"></p><form>${fields}${showPassword}<button class="main">${button}</button></form>${next && safeHtml`<p class="next" hidden><a class="button" href="${next.href}">${next.label}</a></p>`}`,
    { script: scriptOf(call), brand, ...(status === undefined ? {} : { status }) },
  );

const scriptOf = (call: string) => `
const token = new URLSearchParams(location.search).get('token') ?? '';
const [form, button, good, alert] = ['form', 'button', '.good', '.alert'].map((selector) => document.querySelector(selector));
const [email, password, show] = ['email', 'password', 'show'].map((id) => document.getElementById(id));
const next = document.querySelector('.next');
show.parentElement.hidden = password === null;
show.addEventListener('change', () => { password.type = show.checked ? 'text' : 'password'; });
const call = (method, path, body, headers) =>
  fetch(path, { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
const callSignedIn = async (email, password, method, path, body = {}) => {
  const signedIn = await call('POST', '/v1/users/login', { provider: 'EMAIL', email, password });
  if (!signedIn.ok) return signedIn;
  const { accessToken } = await signedIn.json();
  return call(method, path, body, { authorization: 'Bearer ' + accessToken });
};
const signOutEverywhere = (email, password) => callSignedIn(email, password, 'DELETE', '/v1/users/me/sessions');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  alert.textContent = '';
  try {
    const response = await ${call};
    const body = await response.json();
    if (response.ok) {
      form.hidden = true;
      if (next) next.hidden = false;
      good.textContent = good.dataset.done.replace('{email}', () => email?.value);
    } else alert.textContent = body.message;
  } catch {
    alert.textContent = 'The request failed. Try again.';
  }
  button.disabled = false;
});`;
