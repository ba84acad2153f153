/** Where the journals are kept on which processes are killed. */
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
export type JournalPlace =
  | { readonly kind: 'file' | 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string; readonly answerTimeout?: number }

/** Where places are made: in a folder, or on a server. */
export interface Site {
  readonly folder: string
  readonly url?: string
  /** Milliseconds after which a connection to the server counts as lost; by default what the journal takes. */
  readonly answerTimeout?: number
}

/** Makes the place of a journal. */
export async function makePlace(kind: JournalKind, name: string, site: Site): Promise<JournalPlace> {
  const { url = '', answerTimeout } = site
  if (kind === 'postgres') return { kind, url, schema: name.replaceAll('-', '_'), ...(answerTimeout !== undefined && { answerTimeout }) }
  const folder = join(site.folder, name)
  await mkdir(folder, { recursive: true })
  return { kind, folder }
}

/** The file of a SQLite journal in its folder. */
export const databaseIn = (folder: string): string => join(folder, 'loom.db')

/** Opens the journal at a place; calls `torn` for each file whose end is incomplete. */
export async function openJournal(place: JournalPlace, torn: () => void = () => {}): Promise<Journal> {
  switch (place.kind) {
    case 'sqlite':
      return sqlite(databaseIn(place.folder))
    case 'postgres': {
      // Loaded on use: most processes need no server.
      const { postgres } = await import('@loom-agent/journals/postgres')
      const { url, schema, answerTimeout } = place
      return postgres(url, { schema, ...(answerTimeout !== undefined && { pool: { answerTimeout } }) })
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
