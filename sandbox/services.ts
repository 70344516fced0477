import type { Clock } from './clock/clock.ts';
import type { Database } from './database/database.ts';
import type { Dialects } from './dialects/dialect.ts';
import type { Faults } from './faults/faults.ts';
import type { RequestLog } from './requests/requestLog.ts';

/** What every handler of one sandbox works with; nothing of it is shared between sandboxes. */
export interface Services {
	db: Database;
	/** The time by the sandbox's clock: the only source of the time of day. */
	now: () => Date;
	/** The sandbox's clock itself, for setting it. */
	clock: Clock;
	dialects: Dialects;
	faults: Faults;
	requestLog: RequestLog;
	/** What a reset goes back to: data, and the key and the endpoints that the start had. */
	start: { fill: () => void; addCredentials: () => void };
	/** Tells the delivery worker that deliveries may be due. */
	wakeDeliveries: () => void;
	/** Ends the deliveries that are on their way, which are deleted. */
	dropDeliveries: () => void;
}
