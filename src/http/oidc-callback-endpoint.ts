/** Endpoint of the OpenID Connect callback: completes the sign-in and redirects the browser to the frontend. */
import { handleOAuthCallback, oauthCallbackPath } from '../domains/users/sign-in/sign-in-with-oauth.ts';
import type { Endpoint } from './endpoint-route.ts';

export const oidcCallbackEndpoint: Endpoint = {
  path: oauthCallbackPath,
  methods: ['GET'],
  handle: async (request, createContext) => ({
    status: 302,
    headers: {
      location: await handleOAuthCallback(await createContext(), request.query),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
    body: null,
  }),
};
