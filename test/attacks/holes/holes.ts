/** All planted holes, by the part of Loom that they open. */
import { boundsHoles } from './bounds.ts'
import { callerHoles } from './callers.ts'
import { commandHoles } from './commands.ts'
import type { Hole } from './hole.ts'
import { hygieneHoles } from './hygiene.ts'
import { importHoles } from './imports.ts'
import { inbandHoles } from './inband.ts'
import { networkHoles } from './network.ts'
import { pathHoles } from './paths.ts'
import { secrets } from './secrets.ts'
import { taintHoles } from './taint.ts'
import { verdicts } from './verdicts.ts'

export const holes: Readonly<Record<string, readonly Hole[]>> = {
  bounds: boundsHoles,
  callers: callerHoles,
  commands: commandHoles,
  hygiene: hygieneHoles,
  imports: importHoles,
  inband: inbandHoles,
  network: networkHoles,
  paths: pathHoles,
  secrets,
  taint: taintHoles,
  verdicts,
}
