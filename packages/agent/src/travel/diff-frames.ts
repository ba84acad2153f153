/** The comparison of two frames. */

/** One place where two frames differ. */
export type Difference = Readonly<{ path: string; before: unknown; after: unknown }>

/** Where two frames differ, path by path. What they share by reference is not looked at. */
export function diffFrames(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (Object.is(before, after)) return []
  const isBranch = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  if (!isBranch(before) || !isBranch(after)) return [{ path, before, after }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => diffFrames(before[key], after[key], path === '' ? key : `${path}.${key}`))
}
