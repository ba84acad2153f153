/** All planted holes, by the part of Loom that they open. */
import type { Hole } from './hole.ts'
import { importHoles } from './imports.ts'

export const holes: Readonly<Record<string, readonly Hole[]>> = { imports: importHoles }
