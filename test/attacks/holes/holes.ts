/** All planted holes, by the part of Loom that they open. */
import { boundsHoles } from './bounds.ts'
import { callerHoles } from './callers.ts'
import { commandHoles } from './commands.ts'
import { confinedHoles } from './confined.ts'
import { guestHoles } from './guest.ts'
import type { Hole } from './hole.ts'
import { hygieneHoles } from './hygiene.ts'
import { importHoles } from './imports.ts'
import { inbandHoles } from './inband.ts'
import { mcpHoles } from './mcp.ts'
import { networkHoles } from './network.ts'
import { pathHoles } from './paths.ts'
import { rewindHoles } from './rewinds.ts'
import { secrets } from './secrets.ts'
import { taintHoles } from './taint.ts'
import { verdicts } from './verdicts.ts'
import { worldHoles } from './worlds.ts'

export const holes: Readonly<Record<string, readonly Hole[]>> = {
  bounds: boundsHoles,
  callers: callerHoles,
  commands: commandHoles,
  confined: confinedHoles,
  guest: guestHoles,
  hygiene: hygieneHoles,
  imports: importHoles,
  inband: inbandHoles,
  mcp: mcpHoles,
  network: networkHoles,
  paths: pathHoles,
  rewinds: rewindHoles,
  secrets,
  taint: taintHoles,
  verdicts,
  worlds: worldHoles,
}
