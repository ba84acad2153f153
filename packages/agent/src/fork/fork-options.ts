/** What the options of a fork must be. */
import type { Definition } from '../definition/definition.ts'
import { checkModel } from '../model/model.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { limitsShape } from '../types/limits.ts'
import type { Edit, ForkOptions, RewindOptions } from './fork-types.ts'

const call = expected.required(expected.text)
const edits: { readonly [K in Edit['kind']]: Shape } = {
  input: { input: expected.required(expected.anything) },
  result: { call, result: expected.required(expected.anything) },
  deny: { call, reason: expected.text },
  instructions: { text: expected.required(expected.text) },
  model: { model: expected.required(expected.anything) },
  'remove-turn': { turn: expected.required(expected.whole(1)) },
}

const forkShape: Shape & Record<keyof ForkOptions, Expected> = {
  thread: expected.anything,
  edit: { words: 'an edit, or a list of edits', fits: (value) => [value].flat().every(expected.object.fits) },
  effects: expected.oneOf('live', 'recorded', 'stub', 'ask'),
  limits: expected.options(limitsShape),
}

/** Throws for options that are not valid. */
export function checkFork({ name }: Definition, given: ForkOptions): void {
  check(`a fork by ${name}`, given, forkShape)
}

/** Throws for options of a rewind that are not valid. */
export function checkRewind({ name }: Definition, given: RewindOptions): void {
  check(`a rewind by ${name}`, given, { ...forkShape, from: expected.name })
}

function check(what: string, given: ForkOptions, shape: Shape): void {
  checkOptions(what, given, shape)
  for (const edit of [given.edit ?? []].flat() as readonly Edit[]) {
    const kind = expected.required(expected.oneOf(...Object.keys(edits)))
    checkOptions(`${what}, edit`, { kind: edit.kind }, { kind })
    checkOptions(`${what}, edit ${edit.kind}`, edit, { kind, ...edits[edit.kind] })
    if (edit.kind === 'model') checkModel(edit.model)
  }
}
