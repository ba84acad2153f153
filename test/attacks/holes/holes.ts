/** All planted holes, by the part of Loom that they open. */
import type { Hole } from './hole.ts'
import { inbandHoles } from './inband.ts'

export const holes: Readonly<Record<string, readonly Hole[]>> = { inband: inbandHoles }
