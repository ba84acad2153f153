/** All ideas of attacks, and their worlds. */
import type { Idea, World } from '../world/scenario.ts'
import { carriers } from './carriers.ts'
import { children } from './children.ts'
import { commands } from './commands.ts'
import { disguises } from './disguises.ts'
import { files } from './files.ts'
import { leaks } from './leaks.ts'
import { networks } from './networks.ts'
import { people } from './people.ts'

/** All ideas. */
export const ideas: readonly Idea[] = [...carriers, ...disguises, ...leaks, ...files, ...commands, ...people, ...children, ...networks]

/** All worlds in which somebody attacks. */
export const attackWorlds: readonly World[] = ideas.flatMap(({ worlds }) => worlds)

/** The first world of each idea. */
export const firstWorlds: readonly World[] = ideas.flatMap(({ worlds }) => worlds.slice(0, 1))
