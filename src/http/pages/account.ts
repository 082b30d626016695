/** Where links in mails lead when no frontend of your own takes them: confirm an address, choose a new password, sign out everywhere. */
import { type Html, markup } from './html.ts';
import { page } from './layout.ts';
import type { Page } from './page.ts';

/** Opening a link changes nothing: programs that look into mails open links too. */
export const accountPages = (): [string, Page][] => [
  [
    '/account/confirm',
    () =>
      formPage('Confirm your email address', {
        fields: markup`<p>One click, and you can sign in.</p>`,
        button: 'Confirm email address',
        call: `call('PUT', '/v1/users/confirm', { token })`,
        done: 'Your email address is confirmed. You can sign in now.',
      }),
  ],
  [
    '/account/reset-password',
    () =>
      formPage('Choose a new password', {
        fields: markup`<label>New password, at least 10 characters
<input id="password" type="password" autocomplete="new-password" required minlength="10"></label>`,
        button: 'Set password',
        call: `call('POST', '/v1/users/reset-forgot-password', { token, password: document.getElementById('password').value })`,
        done: 'Your new password is set. You can sign in with it now.',
      }),
  ],
  [
    '/account/security',
    () =>
      formPage('Look after your account', {
        fields: markup`<p>Sign out everywhere: whoever uses your account now has to sign in again. If somebody may know your password, ask for a new one where you sign in.</p>
<label>Email address <input id="email" type="email" autocomplete="username" required></label>
<label>Password <input id="password" type="password" autocomplete="current-password" required></label>`,
        button: 'Sign out everywhere',
        call: `signOutEverywhere(document.getElementById('email').value, document.getElementById('password').value)`,
        done: 'Every device is signed out.',
      }),
  ],
];

interface Form {
  fields: Html;
  button: string;
  /** The call that the button makes. */
  call: string;
  done: string;
}

const formPage = (title: string, { fields, button, call, done }: Form) =>
  page(
    title,
    markup`<main class="one"><section class="card"><h1>${title}</h1><form>${fields}<button class="main">${button}</button></form><p role="status" aria-live="polite"></p></section></main>`,
    {
      script: `
const token = new URLSearchParams(location.search).get('token') ?? '';
const [form, button, status] = ['form', 'button', '[role=status]'].map((at) => document.querySelector(at));
const call = (method, path, body) =>
  fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const signOutEverywhere = async (email, password) => {
  const signedIn = await call('POST', '/v1/users/login', { provider: 'EMAIL', email, password });
  if (!signedIn.ok) return signedIn;
  const { accessToken } = await signedIn.json();
  return fetch('/v1/users/me/sessions', { method: 'DELETE', headers: { authorization: 'Bearer ' + accessToken } });
};
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  try {
    const response = await ${call};
    const answer = await response.json();
    status.textContent = response.ok ? ${JSON.stringify(done)} : answer.message;
    if (response.ok) form.hidden = true;
  } catch {
    status.textContent = 'That did not work. Try again.';
  }
  button.disabled = false;
});`,
    },
  );
