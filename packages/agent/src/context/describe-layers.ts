/** The layers of a system text as people are shown them. */
import type { Frame } from '@loom-agent/kernel'
import { tokensInText } from '../model/text-tokens.ts'
import { instructionsLayer, type LayerText, layersIn, type SystemText } from './layers.ts'

/** A layer of the system text, and how many tokens it has. */
export interface SystemLayer extends LayerText {
  /** Its tokens, estimated. */
  readonly tokens: number
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
