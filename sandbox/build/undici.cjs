// The two parts of undici that the sandbox uses. All of undici would replace the dispatcher of the
// program that imports the sandbox, and does not load in Node 22.13.
const Agent = require('undici/lib/dispatcher/agent.js');
const sendRequest = require('undici/lib/api/api-request.js');

const request = (url, { dispatcher, ...options }) => {
	const { origin, pathname, search } = new URL(url);
	return sendRequest.call(dispatcher, { ...options, origin, path: pathname + search });
};

module.exports = { Agent, request };
