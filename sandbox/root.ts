/** The folder of the sandbox. Built, every module is in the package's folder itself: only here is a place looked up. */
export const ROOT = new URL('.', import.meta.url);
