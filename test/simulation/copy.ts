/** What is built of a tree to walk in it. */
export { openGround } from './ground.ts';
export { stepsOf } from './steps.ts';
export { walk } from './walk.ts';
