/** Sessions and API keys of the fuzzer's viewers: requests may end them, and later requests need new ones. */
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Viewer, viewerNames } from '../parity/fixtures.ts';
import type { Person, TestApp } from '../support/test-app.ts';
import type { FuzzFixtures } from './fixtures.ts';

/** Signs in every viewer with a session that they can end. */
export async function openSessions({ t, world: { viewers } }: FuzzFixtures): Promise<void> {
  for (const viewer of viewerNames) viewers[viewer] = await signInAgain(t, viewer, viewers[viewer]);
}

/** Signs the viewer in again if a request has ended their session or revoked their API key. Returns whether it had. */
export async function renewEndedSession(
  { t, world: { viewers } }: FuzzFixtures,
  viewer: Viewer,
): Promise<boolean> {
  const as = viewers[viewer];
  if (!as || (await t.rest('GET', '/v1/businesses?limit=1', { as })).status !== 401) return false;
  viewers[viewer] = await signInAgain(t, viewer, as);
  return true;
}

async function signInAgain(
  t: TestApp,
  viewer: Viewer,
  person: Person | undefined,
): Promise<Person | undefined> {
  if (!person) return undefined;
  if (viewer === 'API key') return t.withApiKey(person);
  const [id, provider] = [newId(), viewer === 'guest' ? ('GUEST' as const) : ('EMAIL' as const)];
  const { email } = await t.db.prisma.user.findUniqueOrThrow({ where: { id: person.userId } });
  await t.db.prisma.session.create({
    data: { id, userId: person.userId, provider, jtiHash: newId(), createdAt: now() },
  });
  const claims = { sub: person.userId, provider, ...(email === null ? {} : { email }) };
  const { token } = await t.app.services.tokens.issueAccess(claims, id);
  return { ...person, token };
}
