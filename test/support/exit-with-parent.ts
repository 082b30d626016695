/** Loaded into a gateway under test: ends it when the tests that started it are gone, however they went. */
const end = () => process.exit(1);
process.stdin.on('end', end).on('error', end).resume();
