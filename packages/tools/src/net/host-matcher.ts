/** How rules such as `http_request(**.example.com)` name where a request goes. */
import type { CallMatcher, CallPart } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import { hostOfUrl, isAddress, matchesHost } from './target.ts'

/** Where a request goes. */
interface HostPart extends CallPart {
  /** The host in its one form; undefined where the address would be refused. */
  readonly host: string | undefined
}

/** The host of a pattern, in the one form that requests have (URL-2): what is written in another one would name none of them. */
function problemOf(pattern: string): string | undefined {
  const { above, host = '' } = /^(?<above>\*{1,2}\.)?(?<host>.*)$/s.exec(pattern)?.groups ?? {}
  const read = hostOfUrl(`http://${host.includes(':') ? `[${host}]` : host}/`)
  if (read === host.toLowerCase() && !(above && isAddress(read))) return undefined
  const meant = above ? undefined : hostMeant(host)
  return meant === undefined
    ? 'Give a host such as example.com, *.example.com or **.example.com.'
    : `Write ${meant}: rules know hosts without ports, as requests have them.`
}

/** What somebody may have meant who wrote a host in another form. */
function hostMeant(text: string): string | undefined {
  const url = URL.parse(/^https?:/i.test(text) ? text : `http://${text}`)
  return url ? hostOfUrl(`http://${url.hostname}/`) : undefined
}

/** The matcher of tools that take an address. */
export const hostMatcher: CallMatcher<{ readonly url: string }, HostPart> = {
  kinds: { url: 'url' },
  parts: ({ url }) => {
    const host = hostOfUrl(url)
    return [{ text: host ?? url.slice(0, 200), host }]
  },
  compile(pattern) {
    const problem = problemOf(pattern)
    if (problem !== undefined)
      throw new LoomError('LOOM_OPTION_INVALID', `${JSON.stringify(pattern.slice(0, 200))} names no host. ${problem}`, { context: { pattern } })
    return {
      names: ({ host }) => host !== undefined && matchesHost(pattern, host),
      mayMean: ({ host }) => host === undefined || matchesHost(pattern, host),
    }
  },
}
