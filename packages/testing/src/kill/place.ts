/** Where the journals are on which processes are killed. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'

/** The journals that processes can be killed on. */
export const journalKinds = ['file', 'sqlite', 'postgres'] as const

/** A journal that processes can be killed on. */
export type JournalKind = (typeof journalKinds)[number]

/** A journal of its own, as any process can open it. */
export type Place =
  | { readonly kind: 'file' | 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string }

/** What places are made in: a folder, or a server. */
export interface Ground {
  readonly folder: string
  readonly url?: string
}

/** Makes the place of a journal. */
export async function makePlace(kind: JournalKind, name: string, { folder: parent, url = '' }: Ground): Promise<Place> {
  if (kind === 'postgres') return { kind, url, schema: name.replaceAll('-', '_') }
  const folder = join(parent, name)
  await mkdir(folder, { recursive: true })
  return { kind, folder }
}

/** The file of a SQLite journal in its folder. */
export const databaseIn = (folder: string): string => join(folder, 'loom.db')

/** Opens the journal at a place; `torn` is told of files whose end is not whole. */
export async function openPlace(place: Place, torn: () => void = () => {}): Promise<Journal> {
  switch (place.kind) {
    case 'sqlite':
      return sqlite(databaseIn(place.folder))
    case 'postgres': {
      // Who does not need a server does not pay for loading its driver.
      const { postgres } = await import('@loom-agent/journals/postgres')
      return postgres(place.url, { schema: place.schema })
    }
    case 'file':
      return file(join(place.folder, 'threads'), {
        onDamage(damage) {
          if (damage.kind !== 'torn') throw new Error(`The journal is damaged: ${JSON.stringify(damage)}`)
          torn()
        },
      })
  }
}
