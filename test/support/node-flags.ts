/** Flags of Node for child processes. Embedded databases live for seconds: optimized compilation of PGlite takes longer than it saves. */
export const nodeFlags = ['--liftoff-only'];
