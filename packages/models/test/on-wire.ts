/** Models on a wire server, and what is read of them. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type WireServer, type WireServerOptions, wireServer } from '@loom-agent/harness/wire'
import { idle } from '../../../test/support/event-loop.ts'
import { modelOn } from '../../harness/test/wire/providers.ts'

export { modelOn }

/** Starts servers, and closes them all. */
export function createServers(): { start(reply: WireServerOptions['reply']): Promise<WireServer>; close(): Promise<void> } {
  const open: WireServer[] = []
  return {
    async start(reply) {
      const server = await wireServer({ reply })
      open.push(server)
      return server
    },
    async close() {
      await Promise.all(open.splice(0).map((server) => server.close()))
    },
  }
}

/** A question. */
export const asking = (text = 'hi', more: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
  maxOutputTokens: 100,
  ...more,
})

/** The parts of a reply; what it throws is thrown. */
export async function partsOf(model: LanguageModelV4, options = asking()): Promise<readonly LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream(options)
  const parts: LanguageModelV4StreamPart[] = []
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
  return parts
}

/** The text of a reply. */
export async function textOf(model: LanguageModelV4, options = asking()): Promise<string> {
  return (await partsOf(model, options)).map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
}

/** Lets everything that is ready happen. */
export const settle = (): Promise<void> => idle(20)

export const down = { fault: { kind: 'status', status: 503 } } as const
