/** How tests wait: for a fact, or for whatever is ready to run. Never for a time. */

/** Waits until something is so. A test that waits in vain ends by its time-out. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** Lets everything run that is ready: so many passes of the event loop. */
export async function idle(passes = 10): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) await new Promise((resolve) => setImmediate(resolve))
}
