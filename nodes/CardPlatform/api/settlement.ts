import { z } from 'zod';

/** A settlement: its fields are not shown (§2 Settlement), so it passes through as it is. */
export const settlementSchema = z.record(z.string(), z.unknown());
