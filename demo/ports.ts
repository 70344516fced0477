/** Where the sandbox usually is, and what chooses another port. */
export const usualSandboxPort = { usual: 4010, flag: '--sandbox-port' };

/** Where n8n usually is, and what chooses another port. */
export const usualN8nPort = { usual: 5678, flag: '--n8n-port' };
