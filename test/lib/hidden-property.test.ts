import { expect, it } from 'vitest';
import { HiddenProperty } from '../../src/lib/cache/hidden-property.ts';

it('stores a value per object that is not enumerable and not copied', () => {
  const [texts, numbers] = [new HiddenProperty<object, string>(), new HiddenProperty<object, number>()];
  const owner = { name: 'page' };
  expect(texts.get(owner)).toBeUndefined();
  texts.set(owner, 'first');
  texts.set(owner, 'second');
  numbers.set(owner, 3);
  expect([texts.get(owner), numbers.get(owner)]).toEqual(['second', 3]);
  expect(texts.get({ ...owner })).toBeUndefined();
  expect(JSON.stringify(owner)).toBe('{"name":"page"}');
  expect(Reflect.ownKeys({ ...owner })).toEqual(['name']);
});
