/** A service that was started for n8n. */
export interface Service {
	/** How n8n reaches it: its own environment variables. */
	settings: Readonly<Record<string, string>>;
	/** Ends it, and removes what it wrote. */
	stop(): Promise<void>;
}
