/** How rules such as `http_request(**.example.com)` name where a request goes. */
import type { CallMatcher, CallPart } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import { hostOfUrl, matchesHost } from './target.ts'

/** Where a request goes. */
interface HostPart extends CallPart {
  /** The host in its one form; undefined where the address would be refused. */
  readonly host: string | undefined
}

/** Labels with dots between them, of which the first may be * or **. */
const hostPattern = /^(?:\*{1,2}\.)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$|^[\da-f:.[\]]+$/iu

/** The matcher of tools that take an address. */
export const hostMatcher: CallMatcher<{ readonly url: string }, HostPart> = {
  kinds: { url: 'url' },
  parts: ({ url }) => {
    const host = hostOfUrl(url)
    return [{ text: host ?? url.slice(0, 200), host }]
  },
  compile(pattern) {
    if (!hostPattern.test(pattern)) {
      const advice = 'Give a host such as example.com, *.example.com or **.example.com.'
      throw new LoomError('LOOM_OPTION_INVALID', `${JSON.stringify(pattern.slice(0, 200))} names no host. ${advice}`, { context: { pattern } })
    }
    return {
      names: ({ host }) => host !== undefined && matchesHost(pattern, host),
      mayMean: ({ host }) => host === undefined || matchesHost(pattern, host),
    }
  },
}
