/** Checks that a journal is one. The error shows how one is made from what was given. */
import { LoomError } from '@loom-agent/kernel'

/** Refuses what cannot be a journal. */
export function checkJournal(what: string, journal: unknown): void {
  if (typeof journal === 'object' && journal !== null && 'append' in journal && typeof journal.append === 'function') return
  throw new LoomError('LOOM_OPTION_INVALID', `${what}: journal must be a journal object, not ${shown(journal)}. ${adviceFor(journal)}`, {
    context: { option: 'journal' },
  })
}

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value.slice(0, 80))
    : value === null
      ? 'null'
      : typeof value === 'object'
        ? 'an object without append()'
        : `a ${typeof value}`

function adviceFor(journal: unknown): string {
  if (typeof journal === 'function') return 'Call it: journal: memoryJournal().'
  if (typeof journal !== 'string') return 'Leave it out to keep runs in memory, or give sqlite("loom.db").'
  const maker = /^postgres(ql)?:/.test(journal) ? 'postgres' : 'sqlite'
  const from = maker === 'sqlite' ? 'loom-agent' : '@loom-agent/journals/postgres'
  return `Did you mean ${maker}(${JSON.stringify(journal.slice(0, 80))})? Import ${maker} from '${from}'.`
}
