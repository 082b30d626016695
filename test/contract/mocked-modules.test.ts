/** Test files of a worker share the loaded sources: a file that mocks a module loads them again, before its tests and after them. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('has only mocks that also apply after other test files of the worker, and to no later ones', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' });
  const tests = files.filter((file) => file.endsWith('.test.ts') && !file.endsWith('mocked-modules.test.ts'));
  const wrong = tests.filter((file) => {
    const text = readFileSync(`test/${file}`, 'utf8');
    const mocked = [...text.matchAll(/vi\.mock\((['"][^'"]+['"])/g)].map(([, module]) => module);
    const reset = /vi\.hoisted\([^;]*?vi\.resetModules\(\)/.test(text);
    const unmocked = /afterAll\([\s\S]*?vi\.resetModules\(\)/.test(text);
    return !mocked.every((module) => reset && unmocked && text.includes(`vi.doUnmock(${module})`));
  });
  expect(wrong).toEqual([]);
});
