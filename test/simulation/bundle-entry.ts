/** Entry point of the bundle of a source tree, which a worker process loads to run walks in it. */
export { generateSteps } from './generate-steps.ts';
export { openSharedDatabase } from './shared-database.ts';
export { walk } from './walk.ts';
