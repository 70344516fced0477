#!/usr/bin/env node
import { assertNodeVersion } from './cli/nodeVersion.ts';

assertNodeVersion();
// Loaded after the check: node:sqlite cannot be imported by an older Node.
await import('./cli.ts');
