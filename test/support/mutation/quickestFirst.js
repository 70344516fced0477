const { default: Sequencer } = require('@jest/test-sequencer');

const { costOf } = require('./jest-circus-bail.js');

/** Runs quick test files first, as the first failure ends the run of a mutant. */
module.exports = class QuickestFirst extends Sequencer {
	sort(tests) {
		return [...tests].sort((one, other) => costOf(one.path) - costOf(other.path));
	}
};
