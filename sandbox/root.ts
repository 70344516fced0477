/** The folder of the sandbox. After the build, every module is in the package's folder itself: only this one looks up a place. */
export const ROOT = new URL('.', import.meta.url);
