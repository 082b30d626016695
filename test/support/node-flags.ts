/** What Node is started with here. Embedded databases live for seconds: compiling them well takes longer than it saves. */
export const nodeFlags = ['--liftoff-only'];
