/**
 * How rules name the arguments of a tool that are marked by kind.
 *
 * MARKED-1. Each value is judged by itself, as the built-in tools judge theirs: a path like that of a file tool, a command like that of `bash`, an address
 *     or a host like that of `fetch`. A value that is no text is judged as one that cannot be told.
 * MARKED-2. A pattern is about all marked arguments, where they are of one kind, or about the one that it names: `copy(to: ./src/**)`.
 */
import type { CallMatcher, CallPart, PartPattern } from '@loom-agent/agent'
import { type ArgumentKind, type ArgumentKinds, LoomError } from '@loom-agent/kernel'
import { commandMatcher } from '../command/command-matcher.ts'
import { judgedPlaces } from '../files/judged-places.ts'
import { pathMatcher } from '../files/path-matcher.ts'
import { hostMatcher } from '../net/host-matcher.ts'
import { type MarkedPlaces, relativeTo } from './marked-places.ts'

/** A part of a call: what one value of a marked argument asks for. */
interface MarkedPart extends CallPart {
  readonly argument: string
  /** The part as the matcher of its kind made it; undefined where the value is no text. */
  readonly inner: CallPart | undefined
}

type Input = Readonly<Record<string, unknown>>

/** The matcher of one argument. */
interface OfArgument {
  parts(value: string): readonly CallPart[] | Promise<readonly CallPart[]>
  compile(pattern: string): PartPattern
}

/** The matcher of a tool whose arguments are marked. */
export function markedMatcher(kinds: ArgumentKinds, places: MarkedPlaces): CallMatcher<object, CallPart> {
  const matchers = new Map(Object.entries(kinds).map(([argument, kind]) => [argument, matcherOf(kind, argument, places)]))
  const matcher: CallMatcher<Input, MarkedPart> = {
    kinds,
    async parts(input) {
      const parts = [...matchers].map(async ([argument, matcher]) => partsOf(argument, matcher, input[argument]))
      return (await Promise.all(parts)).flat()
    },
    compile(text) {
      const { argument: named, pattern } = readPattern(text, kinds)
      const compiled = new Map(
        [...matchers].flatMap(([argument, matcher]) => (named === undefined || named === argument ? [[argument, matcher.compile(pattern)]] : [])),
      )
      return {
        names: ({ argument, inner }) => inner !== undefined && compiled.get(argument)?.names(inner) === true,
        mayMean: ({ argument, inner }) => compiled.has(argument) && (inner === undefined || compiled.get(argument)?.mayMean(inner) === true),
      }
    },
  }
  return matcher as CallMatcher<object, CallPart>
}

function matcherOf(kind: ArgumentKind, argument: string, { root, guard, reads }: MarkedPlaces): OfArgument {
  if (kind === 'command') {
    const matcher = commandMatcher({ persistent: false, isSandboxed: async () => false })
    return { parts: (command) => matcher.parts({ command }), compile: (pattern) => matcher.compile(pattern) as PartPattern }
  }
  if (kind !== 'path') {
    const addressOf = (value: string): string => (kind === 'url' ? value : /[/?#@\\]/.test(value) ? '' : `https://${value}/`)
    return {
      parts: (value) => hostMatcher.parts({ url: addressOf(value) }),
      compile: (pattern) => hostMatcher.compile(pattern) as PartPattern,
    }
  }
  const matcher = pathMatcher({ root, guard, judged: judgedPlaces(root, guard), access: reads.has(argument) ? 'read' : 'write' })
  return { parts: (value) => matcher.parts({ path: relativeTo(root, value) }), compile: (pattern) => matcher.compile(pattern) as PartPattern }
}

async function partsOf(argument: string, matcher: OfArgument, value: unknown): Promise<readonly MarkedPart[]> {
  if (value === undefined || value === null) return []
  const parts = [value].flat().map(async (one): Promise<readonly MarkedPart[]> => {
    if (typeof one !== 'string') return [{ text: `${argument}: ${JSON.stringify(one)?.slice(0, 200)}`, argument, inner: undefined }]
    // That it is an edit of the workspace, or in a sandbox, is not known of this tool.
    return (await matcher.parts(one)).map((inner) => ({ text: `${argument}: ${inner.text}`, argument, inner }))
  })
  return (await Promise.all(parts)).flat()
}

/** The argument that a pattern names, and the rest of it. */
function readPattern(text: string, kinds: ArgumentKinds): { readonly argument?: string; readonly pattern: string } {
  const { argument, pattern = '' } = /^(?<argument>[^\s:]+):\s*(?<pattern>.*)$/su.exec(text)?.groups ?? {}
  if (argument !== undefined && Object.hasOwn(kinds, argument)) return { argument, pattern }
  if (new Set(Object.values(kinds)).size === 1) return { pattern: text }
  const advice = `Name the argument, as in "${Object.keys(kinds)[0]}: ${text}".`
  throw new LoomError('LOOM_OPTION_INVALID', `${JSON.stringify(text)} does not say which argument it is about. ${advice}`, {
    context: { pattern: text, arguments: Object.keys(kinds) },
  })
}
