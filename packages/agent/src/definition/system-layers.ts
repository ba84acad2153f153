/**
 * The layers of the system text behind the instructions: those of the agent, then `skills`, then `framework`. Loaded on use.
 *
 * LAYER-2. Nothing is in the system text that an option cannot replace: every layer that tools bring has a name, and the option of that name decides.
 */
import type { Brought } from '../context/brought.ts'
import { instructionsLayer, type LayerText } from '../context/layers.ts'
import { callUserNow } from '../platform/call-user.ts'
import { type Expected, expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { ErasedOptions } from './definition.ts'

/** The layers that come from Loom and from tools, in the order in which they stand behind all others. */
const ownNames = ['skills', 'framework'] as const

const layerShape = expected.either(expected.either(expected.text, expected.function), { words: 'false', fits: (value) => value === false })
const refused: Expected = { words: 'instructions as the option "instructions"', fits: () => false }

/** The layers of an agent, in order. */
export function makeLayers(options: NonNullable<ErasedOptions['layers']>, brought: readonly Brought[]): readonly LayerText[] {
  checkOptions(
    'layers',
    { ...options },
    Object.fromEntries(Object.keys(options).map((name) => [name, name === instructionsLayer ? refused : layerShape])),
  )
  const given = Object.keys(options).filter((name) => !(ownNames as readonly string[]).includes(name))
  return [...given, ...ownNames].map((name) => {
    const texts = brought.flatMap(({ layers }) => layers.filter((layer) => layer.name === name && layer.text !== ''))
    const text = texts.map((layer) => layer.text).join('\n')
    const option = options[name]
    if (option === undefined) return { name, origin: texts[0]?.origin ?? 'loom', text }
    return { name, origin: 'agent', text: option === false ? '' : typeof option === 'string' ? option : changed(name, option, text) }
  })
}

function changed(name: string, change: (text: string) => string, text: string): string {
  const made = callUserNow(() => change(text))
  checkOptions(`layers.${name}`, { 'the text that it returned': made }, { 'the text that it returned': expected.required(expected.text) })
  return made
}
