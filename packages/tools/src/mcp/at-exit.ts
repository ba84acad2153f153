/** What is to be done when this process exits: programs that it has started must not outlive it. */

/** Things to do at the exit of this process. */
export interface ExitList {
  /** Adds one; the function that is returned takes it off. */
  add(work: () => void): () => void
}

/** A list that listens for the exit as long as there is something on it. */
export function createExitList(): ExitList {
  const works = new Set<() => void>()
  const all = (): void => {
    for (const work of works) work()
  }
  return {
    add(work) {
      if (works.size === 0) process.on('exit', all)
      works.add(work)
      return () => {
        if (works.delete(work) && works.size === 0) process.off('exit', all)
      }
    },
  }
}
