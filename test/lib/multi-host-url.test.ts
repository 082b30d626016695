import { expect, it } from 'vitest';
import { splitMultiHostUrl } from '../../src/lib/net/multi-host-url.ts';

it.each([
  ['postgres://u:p@one:1/name', ['postgres://u:p@one:1/name']],
  ['postgres://one', ['postgres://one']],
  [
    'postgresql://u:p@one:1,two:2/name?target_session_attrs=read-write',
    ['postgresql://u:p@one:1/name', 'postgresql://u:p@two:2/name'],
  ],
  [
    'postgresql://u@one,[::1]:2/name?target_session_attrs=any&sslmode=require',
    ['postgresql://u@one/name?sslmode=require', 'postgresql://u@[::1]:2/name?sslmode=require'],
  ],
  [
    'postgresql://u@one,two/name?sslmode=require&target_session_attrs=primary',
    ['postgresql://u@one/name?sslmode=require', 'postgresql://u@two/name?sslmode=require'],
  ],
])('splits %s into %j', (url, servers) => {
  expect(splitMultiHostUrl(url)).toEqual(servers);
});
