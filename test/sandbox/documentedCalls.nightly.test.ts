import { runCurlScript, runPythonSuite } from './support/documented.ts';

const PAUSE = 10;

test('the Python suite, whose connection is idle for 10 s before each test', () =>
	runPythonSuite(PAUSE));

test('the curl script, with 10 s between its calls', () => runCurlScript(PAUSE));
