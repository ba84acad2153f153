/** Rules about files: what calls say that they have changed, and what forks put back. */
import type { EffectClass, EventType, FileChange, FileFacts, LoomEvent } from '@loom-agent/kernel'
import { blame, type Checks, type Ledger } from './ledger.ts'

const nameOf = ({ workspace = 'workspace', path }: FileChange): string => `${workspace}:${path}`

/** What one event says about files. */
export function checkFiles(ledger: Ledger, { files = [], contents = [] }: FileFacts, effect?: EffectClass): void {
  const names = files.map(nameOf)
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index))) blame(ledger, 'HIST-46', `The file ${name} is named twice.`)
  for (const change of files) {
    const [was, is] = change.modes ?? []
    if (change.before === change.after && was === is) blame(ledger, 'HIST-46', `The file ${nameOf(change)} is named, and nothing became of it.`)
  }
  const known = new Set(files.flatMap(({ before, after }) => [before, after]))
  for (const { $blob } of contents) if (!known.has($blob)) blame(ledger, 'HIST-46', `The content ${$blob} is of no file that was changed.`)
  if (files.length > 0 && (effect === 'pure' || effect === 'read')) blame(ledger, 'HIST-46', `${names[0]} was changed by what only reads.`)
}

/** Events about the files of a workspace. */
export const fileChecks: Checks<`workspace.${'changed' | 'restore-started' | 'restored'}`> = {
  'workspace.changed': (ledger, { data }) => checkFiles(ledger, data),
  'workspace.restore-started': (ledger, { data }) => {
    checkFiles(ledger, data)
    const { fork } = ledger
    if (!fork || fork.driven) blame(ledger, 'HIST-47', `Files are put back as at ${data.at}, and no fork begins here.`)
    if (ledger.restoring) blame(ledger, 'HIST-47', `Files are put back as at ${data.at}, while others are.`)
    ledger.restoring = new Map((data.files ?? []).map((change) => [nameOf(change), JSON.stringify(change)]))
  },
  'workspace.restored': (ledger, { data: { files, conflicts = [] } }) => {
    const { restoring } = ledger
    if (!restoring) return blame(ledger, 'HIST-47', 'Files were put back, and nothing says that they were to be.')
    ledger.restoring = undefined
    for (const change of files)
      if (restoring.get(nameOf(change)) !== JSON.stringify(change))
        blame(ledger, 'HIST-47', `The file ${nameOf(change)} was put back otherwise than it was to be.`)
    const settled = new Set([...files, ...conflicts].map(({ path }) => path))
    for (const name of restoring.keys())
      if (!settled.has(name.slice(name.indexOf(':') + 1))) blame(ledger, 'HIST-47', `The file ${name} was to be put back, and is not accounted for.`)
  },
}

const whileRestoring: ReadonlySet<EventType> = new Set<EventType>(['driver.acquired', 'workspace.restored'])

/** A driver does nothing else while files are put back. */
export function checkRestoring(ledger: Ledger, { type }: LoomEvent): void {
  if (ledger.restoring && ledger.fork?.driven && !whileRestoring.has(type)) blame(ledger, 'HIST-47', `${type} comes while files are put back.`)
}
