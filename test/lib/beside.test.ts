import { expect, it } from 'vitest';
import { Beside } from '../../src/lib/beside.ts';

it('knows what belongs to an object, which nobody else sees and no copy has', () => {
  const [one, other] = [new Beside<object, string>(), new Beside<object, number>()];
  const owner = { name: 'page' };
  expect(one.get(owner)).toBeUndefined();
  one.set(owner, 'first');
  one.set(owner, 'second');
  other.set(owner, 3);
  expect([one.get(owner), other.get(owner)]).toEqual(['second', 3]);
  expect(one.get({ ...owner })).toBeUndefined();
  expect(JSON.stringify(owner)).toBe('{"name":"page"}');
  expect(Reflect.ownKeys({ ...owner })).toEqual(['name']);
});
