/**
 * Keys and the ids of children derive from a thread's incarnation, and a thread that is begun in another process has another one. Here they derive
 * from the thread's name instead, so that the lives of one scenario can be compared.
 */
import { completePorts } from '@loom-agent/agent'
import type { Hash, Journal } from '@loom-agent/kernel'

/** The journal to give to an agent, and the hash that belongs to it. */
export function stableHash(journal: Journal): { readonly journal: Journal; readonly hash: Hash } {
  const names = new Map<string, string>()
  const { hash } = completePorts()
  return {
    journal: {
      ...journal,
      acquire(thread, claim) {
        names.set(claim.incarnation, thread)
        return journal.acquire(thread, claim)
      },
      append(thread, batch) {
        names.set(batch.incarnation, thread)
        return journal.append(thread, batch)
      },
    },
    hash: (text) => {
      const incarnation = text.slice(0, text.indexOf('/'))
      return hash(`${names.get(incarnation) ?? incarnation}${text.slice(incarnation.length)}`)
    },
  }
}
