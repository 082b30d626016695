/** What is built of a tree to walk in it. */
export { openSharedDatabase as openGround } from './shared-database.ts';
export { generateSteps as stepsOf } from './generate-steps.ts';
export { walk } from './walk.ts';
