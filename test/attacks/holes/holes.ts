/** All planted holes, by the part of Loom that they open. */
import type { Hole } from './hole.ts'
import { secrets } from './secrets.ts'

export const holes: Readonly<Record<string, readonly Hole[]>> = { secrets }
