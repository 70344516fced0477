/** In place of a module that no test uses, and whose loading takes longer than the tests. */
module.exports = {};
