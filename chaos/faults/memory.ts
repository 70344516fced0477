/** The memory of a program, in MB, this many milliseconds after the first measurement. */
export interface Sample {
	atMs: number;
	mb: number;
}

/** How memory has developed: a straight line through its low points. */
export interface Trend {
	/** The mean of the low points, in MB. */
	meanMb: number;
	/** What it grows by in a minute, in MB. */
	mbPerMinute: number;
	/** What it has grown by in the time that was looked at, as a share of the mean. */
	growth: number;
}

/** How many low points the time is divided into. */
const windows = 12;

/**
 * The trend over the last two thirds of the time: at first, caches fill. The lowest value of each window
 * counts, as work is under way at some of them.
 */
export function trendOf(samples: readonly Sample[]): Trend {
	const endMs = samples.at(-1)?.atMs ?? 0;
	const points: Sample[] = [];
	for (let window = windows / 3; window < windows; window++) {
		const isIn = ({ atMs }: Sample) => Math.floor((atMs / (endMs + 1)) * windows) === window;
		const inside = samples.filter(isIn);
		if (inside.length === 0) continue;
		points.push(inside.reduce((low, each) => (each.mb < low.mb ? each : low)));
	}
	const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
	const meanAt = mean(points.map(({ atMs }) => atMs));
	const meanMb = mean(points.map(({ mb }) => mb));
	const spread = points.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0);
	const together = points.reduce((sum, { atMs, mb }) => sum + (atMs - meanAt) * (mb - meanMb), 0);
	const mbPerMs = together / spread;
	return { meanMb, mbPerMinute: mbPerMs * 60_000, growth: (mbPerMs * endMs * (2 / 3)) / meanMb };
}
