#!/usr/bin/env -S node --max-semi-space-size=64
/** The command of the package. */
import { runDuet } from './run.ts';

await runDuet(process.argv.slice(2), process.env);
