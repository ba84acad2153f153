/**
 * The system text by layers: the instructions, and what else stands in it, each with who gave it.
 *
 * LAYER-1. The layers in their order are the system text: no character of it belongs to none, and what is not composed of layers has none.
 */
import type { Context, Layer } from '@loom-agent/kernel'

/** A layer of the system text. */
export interface LayerText {
  /** Its name: `instructions`, `skills`, `framework`, or one of your own. */
  readonly name: string
  /** Who gave it: `agent`, `hook`, `fork`, or `loom`. */
  readonly origin: string
  /** What the model reads. */
  readonly text: string
}

/** A system text, and where its layers end; without layers, it is instructions alone. */
export type SystemText = Pick<Context, 'system' | 'layers'>

/** The layer of the agent's own instructions. */
export const instructionsLayer = 'instructions'

const between = '\n\n'

/** The system text of instructions and the layers behind them, among which other instructions do not count. A layer without text is left out. */
export function composeSystem(instructions: LayerText, layers: readonly LayerText[] = []): SystemText {
  const others = layers.filter(({ name, text }) => name !== instructionsLayer && text !== '')
  let system = instructions.text
  if (others.length === 0) return { system }
  const first: readonly Layer[] = system === '' ? [] : [layerTo(system.length, instructions)]
  const rest = others.map((layer) => {
    system += system === '' ? layer.text : between + layer.text
    return layerTo(system.length, layer)
  })
  return { system, layers: [...first, ...rest] }
}

const layerTo = (to: number, { name, origin }: LayerText): Layer => ({ to, name, origin })

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
