/** Plants holes in guards, and finds the holes that no attack notices. */
import { join } from 'node:path'
import type { Hole } from '../../test/attacks/holes/hole.ts'
import { holes } from '../../test/attacks/holes/holes.ts'
import { root } from '../workspace.ts'
import { attack } from './attack.ts'

/** A hole, and its name: its part and its number. */
export interface NamedHole {
  readonly id: string
  readonly hole: Hole
}

/** All holes, in order. */
export const allHoles: readonly NamedHole[] = Object.entries(holes).flatMap(([part, list]) =>
  list.map((hole, index) => ({ id: `${part}:${index}`, hole })),
)

/** The first hole of each part. */
export const firstHoles: readonly NamedHole[] = allHoles.filter(({ id }) => id.endsWith(':0'))

/** Plants holes together, and returns a sentence for each that was not noticed. Holes of different parts are noticed by different files. */
export async function plant(planted: readonly NamedHole[]): Promise<readonly string[]> {
  const config = join(root, 'test/attacks/holes/planted.config.ts')
  const files = [...new Set(planted.map(({ hole }) => hole.foundBy))]
  const bail = planted.length === 1 ? ['--bail', '1'] : []
  const { succeeded, ended } = await attack(root, ['--config', config, '--root', root, ...bail, ...files], {
    LOOM_HOLE: planted.map(({ id }) => id).join(),
  })
  return planted.flatMap(({ id, hole }) => {
    if (!ended.output.includes(`LOOM_HOLE: planted ${id}.`)) return [`not planted: ${id}, ${hole.what}`]
    return succeeded.some(({ file }) => file === hole.foundBy) ? [] : [`not noticed: ${id}, ${hole.what}`]
  })
}
