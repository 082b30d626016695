/** Where the identity provider sends the browser back to: finishes the sign-in and forwards to the frontend. */
import { callbackPath, finishRoundTrip } from '../domains/users/oauth.ts';
import type { Endpoint } from './endpoint.ts';

export const loginCallback: Endpoint = {
  path: callbackPath,
  methods: ['GET'],
  handle: async (request, createContext) => ({
    status: 302,
    headers: {
      location: await finishRoundTrip(await createContext(), request.query),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
    body: null,
  }),
};
