/**
 * Vitest setup file: test files of one worker share libraries and sources, but each evaluates the modules of test/, bench/ and scripts/
 * again, because they hold state.
 */
import type { EvaluatedModules } from 'vite/module-runner';

// The module map that `vi.resetModules()` clears completely; loading the sources again for each file took a third of the CPU time.
const { __vitest_worker__: worker } = globalThis as unknown as {
  __vitest_worker__: { evaluatedModules: EvaluatedModules };
};
// Stateless, and its JSON Schema validators are slow to compile.
const sharedModules = /\/test\/support\/contract-check\.ts$/;
for (const [id, module] of worker.evaluatedModules.idToModuleMap)
  if (/\/(test|bench|scripts)\/[^?]*\.ts$/.test(id) && !sharedModules.test(id))
    worker.evaluatedModules.invalidateModule(module);
