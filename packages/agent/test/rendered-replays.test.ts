/** Reports of replays in Markdown (RENDER-1), and what is no report. */
import { agent, type ReplayReport, renderReplay, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const wild = 'ann_smith <img src=x onerror=alert(1)> *x* `y` [z](q) __init__ ~~s~~ &lt; | \\'

/** What a reader of Markdown shows as code, and the rest, which it reads as markup. */
function partsOf(markdown: string): { readonly code: readonly string[]; readonly markup: string } {
  const code: string[] = []
  const markup = markdown.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, (_, __, inside: string) => {
    code.push(/^ .* $/.test(inside) ? inside.slice(1, -1) : inside)
    return ''
  })
  return { code, markup }
}

async function report(): Promise<ReplayReport> {
  const named = (name: string, input: z.ZodType<object>) => tool({ name, description: wild, input, effect: 'read', run: () => 'x' })
  const worker = agent({
    instructions: `Be kind. ${wild}`,
    model: scriptedModel('Hi'),
    tools: [named('__init__', z.object({})), named('__call__', z.object({ [wild]: z.string() }))],
  })
  await worker.run('x', { thread: wild })
  const context = { name: 'own', assemble: () => ({ rebase: { reason: wild, keepFrom: 0 } }) }
  const tools = [named('__call__', z.object({ [wild]: z.number() })), named('__new__', z.object({}))]
  return worker.replay(wild, { with: { instructions: `- Be brief.\r\n# ${wild}`, tools, context } })
}

describe('a report in Markdown', () => {
  test('has nothing but words of Loom outside of code, whatever threads, tools, paths, reasons and prompts are called', async () => {
    const { markup } = partsOf(renderReplay(await report(), { format: 'markdown' }))
    expect(markup).not.toMatch(/[<>*_`[\]~&|\\]|ann|init|call__|new__|kind/)
    expect(markup.match(/^#+ .*$/gm)).toEqual(['## Replay of ', '## First difference', '## Tools', '## Turns that differ'])
    for (const line of markup.split('\n')) expect(line).toMatch(/^$|^## |^(?: {2})?- /)
  })

  test('shows what would be left out with - and what would be added with +, in the code (found: lists in lists, without the signs)', async () => {
    const { code, markup } = partsOf(renderReplay(await report(), { format: 'markdown' }))
    expect(code.some((text) => text.startsWith('- system: Be kind.'))).toBe(true)
    expect(code.some((text) => text.startsWith('+ system: - Be brief.'))).toBe(true)
    expect(markup).not.toMatch(/- [-+]/)
  })

  test('names the thread and the tools as they are', async () => {
    const { code } = partsOf(renderReplay(await report(), { format: 'markdown' }))
    expect(code).toContain(wild)
    expect(code).toContain(`${wild}@4`)
    expect(code).toEqual(expect.arrayContaining(['__init__', '__call__', '__new__']))
  })
})

describe('renderReplay', () => {
  test.each([
    ['a promise of a report', () => report(), /Await it first: renderReplay\(await agent\.replay\(thread\)\)/],
    ['an empty object', () => ({}), /got \{\}\. Give what agent\.replay\(thread\) returned/],
    ['nothing', () => undefined, /got undefined/],
  ])('refuses %s (found: a TypeError)', (_, given, says) => {
    expect(() => renderReplay(given() as never)).toThrow(
      expect.objectContaining({ code: 'LOOM_OPTION_INVALID', message: expect.stringMatching(says) }),
    )
  })
})
