/** Environment variables of n8n. */
export type Settings = Readonly<Record<string, string>>;

/** n8n's settings of queue mode: those of docs/compose.queue.yml. docs/scaling.md explains them. */
export const queueSettings = {
	EXECUTIONS_MODE: 'queue',
	// The webhook processors alone serve production webhooks and forms.
	N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	// By default, n8n notices after up to 90 s that a worker is gone.
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	N8N_PROXY_HOPS: '1',
	// An outage can leave more than n8n's 100.
	N8N_EXECUTIONS_QUEUE_RECOVERY_BATCH: '10000',
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '10080',
	N8N_LOG_FORMAT: 'json',
	N8N_METRICS: 'true',
	N8N_METRICS_INCLUDE_QUEUE_METRICS: 'true',
};
