/** Arguments of a tool of your own, marked by what they name. */
import { resolve } from 'node:path'
import type { CallMatcher, CallPart, LeastVerdict, TaintLabel, ToolTaint, Verdict } from '@loom-agent/agent'
import { areKinds, checkOptions, type Expected, expected } from '@loom-agent/agent/kit'
import type { ArgumentKind, ArgumentKinds } from '@loom-agent/kernel'
import { maySend, printedBy } from '../command/command-taint.ts'
import { guardOf, type ProtectOptions, protectShape } from '../files/declared-paths.ts'
import { markedMatcher } from './marked-matcher.ts'
import { labelsOf, leastFor, type MarkedPlaces } from './marked-places.ts'

/** What `markedArguments()` takes. */
export interface MarkedArgumentsOptions {
  /** What each argument names. A list of texts is judged text by text; arguments that are not named here say nothing. */
  readonly kinds: ArgumentKinds
  /** The folder that paths are relative to; default: the folder of this process. */
  readonly root?: string
  /** The arguments whose paths are only read; default: all may be written, which protects more. */
  readonly reads?: readonly string[]
  /** The tool's own verdict on calls of which no path is protected; default: none, so that such a call runs where no policy says otherwise. */
  readonly permission?: Verdict
  /** Paths that need more than a rule. */
  readonly protect?: ProtectOptions
}

/** What a definition of a tool gets of its marked arguments: `tool({ ...marked, input, run })`. */
export interface MarkedArguments {
  /** How rules such as `copy(to: ./src/**)` name its arguments. */
  readonly matcher: CallMatcher<Given, CallPart>
  /** Its own verdict, and the least that a call on a protected path meets. */
  readonly permission: (input: Given) => Verdict | LeastVerdict
  /** What its calls bring and send, by what their arguments name. */
  readonly taint: ToolTaint<Given>
}

/** The arguments of a call. */
type Given = object

const shape: Readonly<Record<keyof MarkedArgumentsOptions, Expected>> = {
  kinds: expected.required({ words: 'an object of path, command, url and host by the names of arguments', fits: areKinds }),
  root: { ...expected.name, words: 'the path of a folder' },
  reads: expected.list(expected.name, 'a list of names'),
  permission: expected.oneOf('allow', 'ask', 'deny'),
  protect: expected.options(protectShape),
}

/**
 * Says of the arguments of a tool which are paths, commands, addresses or hosts: rules can name them, protected paths ask, results are labelled, and
 * people see what each is.
 *
 * @example
 * const copy = tool({ ...markedArguments({ root, kinds: { from: 'path', to: 'path' }, reads: ['from'] }), name: 'copy', input, run })
 */
export function markedArguments(options: MarkedArgumentsOptions): MarkedArguments {
  checkOptions('markedArguments', options, shape)
  const { kinds, reads = [], permission, protect = {} } = options
  const { verdict = 'ask' } = protect
  const root = resolve(options.root ?? '.')
  const places: MarkedPlaces = { root, guard: guardOf({ protect }), reads: new Set(reads) }
  const textsOf = (input: object, kind: ArgumentKind): readonly (readonly [argument: string, text: string])[] =>
    Object.entries(kinds).flatMap(([argument, one]) => (one === kind ? textsIn(input, argument) : []))
  return {
    matcher: markedMatcher(kinds, places),
    permission(input) {
      const leasts = textsOf(input, 'path').map(([argument, path]) => leastFor(places, places.reads.has(argument) ? 'read' : 'write', path))
      const least = leasts.find(({ atLeast }) => atLeast !== 'allow')
      return least ? { ...least, atLeast: permission === 'deny' ? 'deny' : verdict } : (permission ?? { atLeast: 'allow' })
    },
    taint: {
      brings: (input) => [
        ...new Set([...textsOf(input, 'path').flatMap(([, path]) => labelsOf(places, path)), ...broughtBy(input, textsOf, places)]),
      ],
      sends: (input) => isAddressed(input, textsOf) || textsOf(input, 'command').some(([, command]) => maySend(command)),
    },
  }
}

type TextsOf = (input: object, kind: ArgumentKind) => readonly (readonly [argument: string, text: string])[]

function textsIn(input: object, argument: string): readonly (readonly [string, string])[] {
  const value: unknown = Object.hasOwn(input, argument) ? Reflect.get(input, argument) : undefined
  return [value].flat().flatMap((one) => (typeof one === 'string' ? [[argument, one] as const] : []))
}

const isAddressed = (input: object, textsOf: TextsOf): boolean => textsOf(input, 'url').length > 0 || textsOf(input, 'host').length > 0

function broughtBy(input: object, textsOf: TextsOf, { root, guard }: MarkedPlaces): readonly TaintLabel[] {
  const place = { root, cwd: root, files: { ...guard, hasPrivate: false, hasForeign: false } }
  const printed = textsOf(input, 'command').flatMap(([, command]) => printedBy(command, place))
  return isAddressed(input, textsOf) ? [...printed, 'untrusted'] : printed
}
