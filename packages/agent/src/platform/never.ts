/** A promise that never settles. A new one each time: one that is shared would keep everything that waits for it in memory. */
export const never = (): Promise<never> => new Promise(() => {})
