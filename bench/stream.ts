/** W5: 20,000 text deltas from the model to a consumer of `run.events()`. */
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { agent } from '@loom-agent/agent'
import { cpuOf, type Figure, figure, median, wallOf } from './measure.ts'
import { benchModel } from './model.ts'

const deltas = 20_000

/** A model that streams deltas as fast as they are read. */
function talker(): LanguageModelV4 {
  return {
    ...benchModel({ turns: 0 }),
    async doStream() {
      let sent = 0
      const pull = (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>): void => {
        for (let chunk = 0; chunk < 64 && sent <= deltas; chunk += 1, sent += 1) {
          if (sent < deltas) controller.enqueue({ type: 'text-delta', id: '0', delta: 'word ' })
          else {
            const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
            controller.enqueue({ type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } })
            controller.close()
          }
        }
      }
      return { stream: new ReadableStream({ pull }, { highWaterMark: 64 }) }
    },
  }
}

async function raw(): Promise<void> {
  const reader = (await talker().doStream({ prompt: [] })).stream.getReader()
  let count = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) if (next.value.type === 'text-delta') count += 1
  if (count !== deltas) throw new Error(`${count} deltas`)
}

async function loom(): Promise<void> {
  const run = agent({ name: 'bench' }).start('go', { model: talker() })
  let letters = 0
  for await (const event of run.events()) if (event.type === 'text-delta') letters += event.text.length
  if (letters !== deltas * 5) throw new Error(`${letters} letters of ${deltas * 5}`)
}

/** Measures deltas through a run, against reading the model's own stream. */
export async function measureStream(): Promise<readonly Figure[]> {
  await raw()
  await loom()
  const floors: number[] = []
  const looms: number[] = []
  const cpus: number[] = []
  for (let repetition = 0; repetition < 15; repetition += 1) {
    floors.push(await wallOf(raw))
    looms.push(await wallOf(loom))
    cpus.push((await cpuOf(loom)) / deltas)
  }
  const perSecond = (ms: number): number => Math.round((deltas / ms) * 1000)
  const detail = `the stream alone ${perSecond(median(floors))} deltas/s, CPU ${median(cpus).toFixed(2)} us a delta`
  const value = perSecond(median(looms))
  return [figure('W5', 'deltas a second from model to run.events()', { value, unit: '/s', goal: 500_000, better: 'higher', detail })]
}
