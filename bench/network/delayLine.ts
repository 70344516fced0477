/**
 * Calls functions in the order in which they came, each at its time (as `performance.now()` counts) or
 * later.
 */
export function createDelayLine(): (at: number, deliver: () => void) => void {
	const waiting: { at: number; deliver: () => void }[] = [];
	const deliverDue = () => {
		while (waiting[0] !== undefined && waiting[0].at <= performance.now()) {
			waiting.shift()?.deliver();
		}
		if (waiting[0] !== undefined) wait(waiting[0].at);
	};
	const wait = (at: number) => setTimeout(deliverDue, Math.ceil(at - performance.now()));
	return (at, deliver) => {
		waiting.push({ at, deliver });
		if (waiting.length === 1) wait(at);
	};
}
