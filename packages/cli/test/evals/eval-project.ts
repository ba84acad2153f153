/** A project whose agent asks a model over HTTP, and a server that counts what is paid: a reply counts when all of it was taken. */
import { writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A model server outside of the processes that are killed. */
export interface PayingServer {
  readonly url: string
  /** How often each case was answered, and so paid. */
  readonly paid: ReadonlyMap<string, number>
  /** How many requests have come, answered or not. */
  readonly asked: () => number
  /** Answers no more until it is let go; resolves when so many requests are held. */
  holdAfter(answers: number, held: number): Promise<void>
  /** Answers again. What was held is left without an answer. */
  letGo(): void
  close(): Promise<void>
}

/** Starts the server: it answers each case with the word that the case asks for, and every tenth with another one. */
export async function startPayingServer(): Promise<PayingServer> {
  const paid = new Map<string, number>()
  let asked = 0
  let hold: { readonly after: number; readonly most: number; readonly full: () => void } | undefined
  const held: ServerResponse[] = []
  const total = (): number => [...paid.values()].reduce((sum, one) => sum + one, 0)
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      asked += 1
      if (hold && total() >= hold.after) {
        held.push(response)
        if (held.length === hold.most) hold.full()
        return
      }
      const word = /word-\d+/.exec(body)?.[0] ?? ''
      paid.set(word, (paid.get(word) ?? 0) + 1)
      response.end(word.endsWith('0') ? 'Something else.' : `It is ${word}.`)
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paid,
    asked: () => asked,
    holdAfter: (after, most) =>
      new Promise((full) => {
        hold = { after, most, full }
      }),
    letGo: () => {
      hold = undefined
      for (const response of held.splice(0)) response.destroy()
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

/** Writes a project: an agent `support`, another one, and a hundred cases. */
export function writeProject(folder: string): void {
  const lines = Array.from({ length: 100 }, (_, index) => JSON.stringify({ input: `Say word-${index + 1}.`, expected: `word-${index + 1}` }))
  writeFileSync(join(folder, 'cases.jsonl'), `${lines.join('\n')}\n`)
  writeFileSync(
    join(folder, 'loom.config.ts'),
    `import { agent, sqlite } from 'loom-agent'
import { defineModel } from '@loom-agent/models'

const model = defineModel({
  id: 'test/paid',
  generate: async ({ text }) => {
    const response = await fetch(process.env.PAYING_SERVER ?? '', { method: 'POST', body: text })
    return { text: await response.text(), usage: { input: 10, output: 5 } }
  },
})
const price = (_: string, { input, output }: { input: number; output: number }) => input + output

export default {
  agents: () => [agent({ name: 'support', model, journal: sqlite('loom.db'), ports: { price } })],
}
`,
  )
}
