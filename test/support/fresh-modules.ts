/** Files of one worker share the libraries and sources they import; the tests' own modules, which hold what one file made, begin anew. */
import type { EvaluatedModules } from 'vite/module-runner';

// What `vi.resetModules()` goes through, for all modules: loading the sources for each file took a third of the processor time.
const { __vitest_worker__: worker } = globalThis as unknown as {
  __vitest_worker__: { evaluatedModules: EvaluatedModules };
};
// The contract is the same for all files, and its checks take long to make.
const stays = /\/test\/support\/contract-check\.ts$/;
for (const [id, module] of worker.evaluatedModules.idToModuleMap)
  if (/\/(test|bench|scripts)\/[^?]*\.ts$/.test(id) && !stays.test(id))
    worker.evaluatedModules.invalidateModule(module);
