/** Journals that accept pages that begin or end nowhere, or refuse those that do not. */
import { LoomError } from '@loom-agent/kernel'
import type { Fault } from './faults.ts'

type Page = { readonly from?: number | undefined; readonly limit?: number | undefined }

/** A fault of `read`: what it makes of a range. */
const ranging = (name: string, change: (range: Page) => Page | 'empty'): Fault => ({
  rule: 'JOURNAL-19',
  name,
  spoil: (journal) => ({
    ...journal,
    async read(thread, range = {}) {
      const changed = change(range)
      return changed === 'empty' ? [] : journal.read(thread, { ...range, ...changed })
    },
  }),
})

const tooGreat = new LoomError('LOOM_OPTION_INVALID', 'too great')

/** Faults of pages. */
export const pageFaults: readonly Fault[] = [
  ranging('returns an empty page for a limit of 0', ({ limit }) => (limit === 0 ? 'empty' : {})),
  ranging('returns an empty page for a limit below 0', ({ limit = 1 }) => (limit < 0 ? 'empty' : {})),
  ranging('takes no number for no limit', ({ limit = 1 }) => (Number.isNaN(limit) ? { limit: 512 } : {})),
  ranging('takes an infinite limit for no limit', ({ limit = 1 }) => (limit === Number.POSITIVE_INFINITY ? { limit: 512 } : {})),
  ranging('rounds a limit', ({ limit = 1 }) => (limit > 1 && limit < 2 ? { limit: 1 } : {})),
  ranging('begins at 1 when it is asked to begin before', ({ from = 1 }) => (from < 1 ? { from: 1 } : {})),
  ranging('rounds the begin', ({ from = 1 }) => (from > 1 && from < 2 ? { from: 2 } : {})),
  ranging('looks beyond what numbers can say', ({ from = 1 }) => (from >= 2 ** 53 ? 'empty' : {})),
  ranging('refuses great numbers', ({ limit = 1 }) => {
    if (limit === Number.MAX_SAFE_INTEGER) throw tooGreat
    return {}
  }),
  {
    rule: 'JOURNAL-19',
    name: 'lists no threads for a limit of 0',
    spoil: (journal) => ({ ...journal, threads: async (query = {}) => (query.limit === 0 ? [] : journal.threads(query)) }),
  },
]
