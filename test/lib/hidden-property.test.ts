import { expect, it } from 'vitest';
import { HiddenProperty } from '../../src/lib/cache/hidden-property.ts';

it('knows what belongs to an object, which nobody else sees and no copy has', () => {
  const [one, other] = [new HiddenProperty<object, string>(), new HiddenProperty<object, number>()];
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
