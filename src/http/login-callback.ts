/** Where the identity provider sends the browser back to: finishes the sign-in and forwards to the frontend. */
import { finishRoundTrip } from '../domains/users/oauth.ts';
import type { Hook } from './dispatch.ts';

export const loginCallback: Hook = async (request, createContext) => ({
  status: 302,
  headers: {
    location: await finishRoundTrip(await createContext(), request.query),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  },
  body: null,
});
