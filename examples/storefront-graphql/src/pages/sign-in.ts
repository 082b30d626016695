/** Sign-in and registration page. The cart of the guest is merged on sign-in. */
import { register, signIn } from '../account.ts';
import { h, link } from '../lib/dom.ts';
import { field, form } from '../lib/form.ts';
import { go, type Page } from '../lib/router.ts';

const email = () => field({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username' });

export const signInPage: Page = ({ url }) => {
  const to = url.searchParams.get('to') ?? '';
  // Redirects only to pages of this shop.
  const next = /^\/(?![/\\])/.test(to) ? to : '/account';
  return {
    title: 'Sign in',
    body: [
      h('h1', {}, 'Your account'),
      h(
        'div',
        { class: 'halves' },
        h(
          'section',
          { class: 'panel' },
          h('h2', {}, 'Sign in'),
          form({
            label: 'Sign in',
            submit: 'Sign in',
            fields: [
              email(),
              field({
                name: 'password',
                label: 'Password',
                type: 'password',
                autocomplete: 'current-password',
              }),
            ],
            async send(values) {
              await signIn(values.email ?? '', values.password ?? '');
              await go(next);
              return undefined;
            },
          }),
          h('p', {}, link('/forgot-password', 'Forgot your password?')),
        ),
        h(
          'section',
          { class: 'panel' },
          h('h2', {}, 'Create an account'),
          form({
            label: 'Create an account',
            submit: 'Create account',
            fields: [
              field({ name: 'name', label: 'Name', autocomplete: 'name' }),
              email(),
              field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password' }),
            ],
            async send({ name = '', email: address = '', password = '' }) {
              await register({ name, email: address, password });
              return `We have sent a link to ${address}. Open it, then sign in.`;
            },
          }),
        ),
      ),
    ],
  };
};
