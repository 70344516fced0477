// By its path, as `zod` alone would be looked for in the playground's own node_modules first: that is
// only half there after a broken installation, and the program that repairs it needs this.
export { z } from '../../node_modules/zod/index.cjs';
