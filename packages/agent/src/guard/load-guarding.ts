/** Loads how guards are asked, which most agents do not need. Loaded, it is not waited for: a replay gives a reply the place that it had. */

type Guarding = typeof import('./guarding.ts')

let guarding: Guarding | undefined

/** How guards are asked. */
export async function loadGuarding(): Promise<Guarding> {
  guarding ??= await import('./guarding.ts')
  return guarding
}

/** How guards are asked, where it is loaded. */
export const loadedGuarding = (): Guarding | undefined => guarding
