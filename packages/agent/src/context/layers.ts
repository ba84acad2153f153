/**
 * The system text by layers: the instructions, and what else stands in it, each with who gave it.
 *
 * LAYER-1. The layers in their order are the system text: no character of it belongs to none, and what is not composed of layers has none.
 */
import type { Context, Frame, Layer } from '@loom-agent/kernel'
import { tokensInText } from '../model/text-tokens.ts'

/** A layer of the system text. */
export interface LayerText {
  /** Its name: `instructions`, `skills`, `framework`, or one of your own. */
  readonly name: string
  /** Who gave it: `agent`, `hook`, `fork`, or `loom`. */
  readonly origin: string
  /** What the model reads. */
  readonly text: string
}

/** A layer of the system text, and how many tokens it has. */
export interface SystemLayer extends LayerText {
  /** Its tokens, estimated. */
  readonly tokens: number
}

/** A system text, and where its layers end; without layers, it is instructions alone. */
export type SystemText = Pick<Context, 'system' | 'layers'>

/** The layer of the agent's own instructions. */
export const instructionsLayer = 'instructions'

const between = '\n\n'

/** The system text of instructions and the layers behind them. A layer without text is left out. */
export function composeSystem(instructions: LayerText, others: readonly LayerText[]): SystemText {
  const filled = [instructions, ...others].filter(({ text }) => text !== '')
  if (filled.every(({ name }) => name === instructionsLayer)) return { system: instructions.text }
  let system = ''
  const layers = filled.map(({ name, origin, text }): Layer => {
    system += system === '' ? text : between + text
    return { to: system.length, name, origin }
  })
  return { system, layers }
}

/** The layers of a system text; undefined where it has none. What separates two of them is left out. */
export function layersIn({ system, layers }: SystemText): readonly LayerText[] | undefined {
  let from = 0
  return layers?.map(({ to, name, origin }, index) => {
    const text = system.slice(from + (index > 0 ? between.length : 0), to)
    from = to
    return { name, origin, text }
  })
}

/** The instructions that a context has. */
export function instructionsIn(context: SystemText): string {
  const layers = layersIn(context)
  return layers ? (layers.find(({ name }) => name === instructionsLayer)?.text ?? '') : context.system
}

/** Who gave the system text of a rebase that has no layers, by the frame before it. */
export function systemBy({ fork, run }: Frame, system: string): 'agent' | 'hook' | 'fork' {
  if (fork?.instructions === system) return 'fork'
  return run?.rebase?.['system'] === system ? 'hook' : 'agent'
}

/** The layers of a system text as people are shown them; `origin` says who gave one without layers. */
export function describeLayers(context: SystemText, origin: string): readonly SystemLayer[] {
  const whole = context.system === '' ? [] : [{ name: instructionsLayer, origin, text: context.system }]
  return (layersIn(context) ?? whole).map((layer) => ({ ...layer, tokens: Math.ceil(tokensInText(layer.text)) }))
}
