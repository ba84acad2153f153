/** Notices, each given once: a server is listed at the start of every run. */
import type { McpNotice } from './options.ts'

/** How many notices are remembered: a server can make new ones without end. */
const most = 1_000

/** Gives each notice once, as far as it is remembered. */
export function eachOnce<Notice extends Omit<McpNotice, 'server'>>(notice: (notice: Notice) => void): (notice: Notice) => void {
  const given = new Set<string>()
  return (one) => {
    const key = JSON.stringify(one)
    if (given.has(key)) return
    if (given.size >= most) given.clear()
    given.add(key)
    notice(one)
  }
}
