/** What `import … from 'card-platform-sandbox'` gives. */
export {
	SandboxClient,
	SandboxError,
	type Account,
	type CardEvent,
	type Delivery,
	type FaultRule,
	type Overview,
	type Purchase,
	type SimulationResult,
	type Subscription,
} from './client.ts';
export { startSandbox, type Sandbox, type SandboxOptions } from './server.ts';
