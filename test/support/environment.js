const { TestEnvironment } = require('jest-environment-node');

// Jest gives a worker half a second to end, which on a busy machine is too short to free all that files have loaded: it ends without.
process.once('beforeExit', () => process.exit());

module.exports = TestEnvironment;
