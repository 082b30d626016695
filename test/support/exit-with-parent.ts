/** Preloaded into a gateway under test: exits when stdin closes, so that the gateway never outlives the test process. */
const exit = () => process.exit(1);
process.stdin.on('end', exit).on('error', exit).resume();
