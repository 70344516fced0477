/** What `import … from 'card-platform-sandbox'` gives. */
export { SandboxClient, SandboxError } from './client.ts';
export { startSandbox } from './server.ts';
export type * from './types.ts';
