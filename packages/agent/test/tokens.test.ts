/** Tokens: estimated by script, calibrated by usage; measured against an exact tokenizer. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent, type ContextRequest, type ContextStrategy, countTokens, frameAt, loadTokenizer, tool } from '@loom-agent/agent'
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const exactly = await loadTokenizer()

const chinese = [
  '订单已经处理完毕，发票将在今天下午寄出。请您仔细核对收货地址和联系电话，如果有任何问题，可以随时联系我们的客服人员，他们会在一个工作日之内回复。',
  '系统在夜间完成了数据备份，共备份了十二个数据库，其中两个数据库因为磁盘空间不足而失败。管理员已经收到通知，并且计划在明天上午扩大磁盘容量。',
  '这本书讲述了一位年轻的工程师如何在小镇上建起第一座图书馆。他一边工作，一边学习，最后说服了镇上的每一个人捐出自己的旧书，让孩子们有书可读。',
  '根据最新的天气预报，本周末北方地区将出现大范围降雪，气温下降八到十度。交通部门提醒司机注意路面结冰，尽量减少不必要的出行，并提前检查车辆。',
]

/** The rows of a table, as a tool would return them. */
const rows = (from: number): string =>
  JSON.stringify(
    Array.from({ length: 25 }, (_, n) => ({ id: from + n, name: `Customer ${from + n}`, paid: n % 3 === 0, total: n * 12.5, at: '2026-11-18' })),
  )

/** Texts of one kind, each for a turn of its own. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  English: ['docs/explanation/facts-not-processes.md', 'docs/guides/results.md', 'docs/guides/streams.md', 'docs/guides/questions.md'].map((page) =>
    read(page)
      .replaceAll(/```[\s\S]*?```/g, '')
      .slice(0, 3000),
  ),
  Chinese: chinese.map((text, index) => [text, chinese[(index + 1) % 4], text].join('\n')),
  code: ['context/prompt.ts', 'context/render.ts', 'model/reserve.ts', 'thread/performer.ts'].map((file) =>
    read(`packages/agent/src/${file}`).slice(0, 4000),
  ),
  JSON: [rows(1), rows(2000), rows(30), rows(700)],
}

/** What a vendor would count: all texts of the request by the tokenizer, and a few tokens around each message and tool. */
function vendorCount({ prompt, tools = [] }: LanguageModelV4CallOptions): number {
  const texts = prompt.flatMap(({ content }): readonly unknown[] => (typeof content === 'string' ? [content] : content))
  const counted = texts.map((part) => exactly(typeof part === 'string' ? part : textIn(part as Readonly<Record<string, unknown>>)) + 4)
  const described = tools.map((one) => exactly(JSON.stringify(one)))
  return [...counted, ...described].reduce((sum, tokens) => sum + tokens, 0) + prompt.length * 3
}

function textIn({ text, input, output, toolName = '' }: Readonly<Record<string, unknown>>): string {
  if (typeof text === 'string') return text
  const { value } = (output ?? {}) as { value?: unknown }
  return `${String(toolName)} ${typeof value === 'string' ? value : JSON.stringify(value ?? input)}`
}

/** A strategy that shows everything, and what it was asked with. */
function watching(): { readonly strategy: ContextStrategy; readonly seen: ContextRequest[] } {
  const seen: ContextRequest[] = []
  return { seen, strategy: { name: 'watching', assemble: (request) => (seen.push(request) ? {} : {}) } }
}

/** Runs a thread whose tool returns the texts one after another, with a vendor that counts `factor` times the tokens, and `added` to every request. */
async function countedRun(
  texts: readonly string[],
  { factor = 1, added = 0 } = {},
): Promise<{ shown: number; real: number; entry: number; exact: number }> {
  const { strategy, seen } = watching()
  const shown: number[] = []
  const counts = (request: LanguageModelV4CallOptions): number => Math.round(vendorCount(request) * factor + added)
  let turn = 0
  const look = tool({ name: 'look', effect: 'read', run: () => texts[turn - 1] })
  const model = scriptedModel((request) => {
    shown.push((seen.at(-1) as ContextRequest).tokens.shown())
    turn += 1
    const usage = { input: counts(request), output: 20 }
    return turn <= texts.length ? { calls: [{ tool: 'look', input: {} }], usage } : { text: 'Done.', usage }
  })
  await agent({ model, tools: [look], context: strategy, instructions: 'Read all of it, and say when you are done.' }).run('Go on.', { thread: 't' })
  const last = seen.at(-1) as ContextRequest
  const index = last.frame.history.length - 1
  return {
    shown: shown.at(-1) as number,
    real: counts(model.requests.at(-1) as LanguageModelV4CallOptions),
    entry: last.tokens.entry(index),
    exact: exactly(texts.at(-1) as string) * factor,
  }
}

const offBy = (estimated: number, real: number): number => Math.abs(estimated / real - 1)

describe.each(Object.entries(kinds))('after three calls with %s', (kind, texts) => {
  test.each([
    ['that counts as the tokenizer does', {}],
    ['that counts 1.6 times as much', { factor: 1.6 }],
    ['that counts 0.7 times as much', { factor: 0.7 }],
    ['that adds 400 tokens to every request', { added: 400 }],
  ])('the next request and its last entry are estimated to 10 %, with a vendor %s', async (_, vendor) => {
    const { shown, real, entry, exact } = await countedRun(texts, vendor)
    console.log(`${kind}: request off by ${(100 * offBy(shown, real)).toFixed(1)} %, entry off by ${(100 * offBy(entry, exact)).toFixed(1)} %`)
    expect(offBy(shown, real)).toBeLessThanOrEqual(0.1)
    expect(offBy(entry, exact)).toBeLessThanOrEqual(0.12)
  })
})

describe('a usage that cannot be true is not learned from', () => {
  test.each([
    ['none', 0],
    ['always ten', 10],
    ['a billion', 1_000_000_000],
  ])('%s', async (_, input) => {
    const { strategy, seen } = watching()
    const texts = kinds['English'] as readonly string[]
    const look = tool({ name: 'look', effect: 'read', run: () => texts[0] })
    const model = scriptedModel((_request, number) =>
      number <= 4 ? { calls: [{ tool: 'look' }], usage: { input } } : { text: 'ok', usage: { input } },
    )
    await agent({ model, tools: [look], context: strategy, limits: { loop: false } }).run('go')
    const { tokens, frame } = seen.at(-1) as ContextRequest
    expect(offBy(tokens.entry(frame.history.length - 1), exactly(texts[0] as string))).toBeLessThan(0.1)
  })

  test('a vendor that leaves out what it read from its cache is understood', async () => {
    const { strategy, seen } = watching()
    const text = (kinds['English'] as readonly string[])[0] as string
    const look = tool({ name: 'look', effect: 'read', run: () => text })
    let before = 0
    const model = scriptedModel((request, number) => {
      const total = vendorCount(request)
      const usage = { input: total - before, cacheRead: before }
      before = total
      return number <= 4 ? { calls: [{ tool: 'look' }], usage } : { text: 'ok', usage }
    })
    await agent({ model, tools: [look], context: strategy, limits: { loop: false } }).run('go')
    const { tokens } = seen.at(-1) as ContextRequest
    expect(offBy(tokens.shown(), vendorCount(model.requests.at(-1) as LanguageModelV4CallOptions))).toBeLessThan(0.1)
  })
})

test('what a driver has learned, a driver that resumes learns too (CALIBRATE-1)', async () => {
  const live = watching()
  const resumed = watching()
  const texts = kinds['code'] as readonly string[]
  const look = tool({ name: 'look', effect: 'read', run: (_input, ctx) => texts[Number(ctx.call.split('.')[0]) % texts.length] })
  const model = scriptedModel((request, number) => {
    const usage = { input: Math.round(vendorCount(request) * 1.3), output: 9 }
    return number % 6 === 0 ? { text: 'ok', usage } : { calls: [{ tool: 'look' }], usage }
  })
  const worker = agent({ model, tools: [look], context: live.strategy, limits: { loop: false } })
  for (let run = 0; run < 3; run += 1) await worker.run('go', { thread: 't' })
  const other = agent({ model, tools: [look], context: resumed.strategy, journal: worker.journal, limits: { loop: false } })
  await other.preview('go', { thread: 't' })
  await worker.preview('go', { thread: 't' })
  const [a, b] = [live.seen.at(-1) as ContextRequest, resumed.seen.at(-1) as ContextRequest]
  expect(b.tokens.shown()).toBe(a.tokens.shown())
  expect(b.tokens.text('some words')).toBe(a.tokens.text('some words'))
  const frame = await frameAt(worker.journal, 't')
  expect(frame.history.length).toBe(a.frame.history.length - 1)
})

describe('what is asked of the tokens of a context', () => {
  test('the parts add up to the whole, segments and trims count as they are shown', async () => {
    const { strategy, seen } = watching()
    const look = tool({ name: 'look', effect: 'read', run: () => 'stone river cloud '.repeat(400) })
    const model = scriptedModel((_, number) => (number < 4 ? { calls: [{ tool: 'look' }] } : 'ok'))
    await agent({ model, tools: [look], context: strategy, instructions: 'Be brief.', limits: { loop: false } }).run('go')
    const { tokens, frame } = seen.at(-1) as ContextRequest
    const { length } = frame.history
    const parts = Array.from({ length }, (_, index) => tokens.entry(index)).reduce((sum, size) => sum + size, 0)
    expect(Math.abs(parts + tokens.fixed() - tokens.shown())).toBeLessThanOrEqual(length)
    expect(tokens.showing([])).toBe(tokens.shown())
    expect(tokens.showing([{ to: length, as: 'dropped', rule: 'old', reason: 'It is old.' }])).toBe(tokens.fixed())
    const trims = [{ rule: 'short', over: 0, head: 10, tail: 10 }]
    expect(tokens.entry(2, trims)).toBeLessThan(80)
    expect(tokens.showing([{ to: length, as: 'kept', trims }])).toBeLessThan(tokens.shown() / 4)
    const summed = tokens.showing([{ to: length, as: 'summary', text: 'They walked.' }])
    expect(summed).toBeGreaterThan(tokens.fixed())
    expect(summed).toBeLessThan(tokens.fixed() + 15)
  })

  test('exact counts are those of the tokenizer, and a counter of the user replaces the estimate', async () => {
    const { strategy, seen } = watching()
    await agent({ model: scriptedModel('ok'), context: strategy, ports: { countTokens: () => 1000 } }).run('go')
    const { tokens } = seen[0] as ContextRequest
    expect(tokens.text('one word')).toBe(1000)
    const exact = await tokens.exact()
    expect(exact.text('How many tokens is this?')).toBe(exactly('How many tokens is this?'))
  })
})

describe('countTokens', () => {
  test('estimates a text, and counts it with the tokenizer on request', async () => {
    const text = 'The quick brown fox jumps over the lazy dog.'
    expect(offBy(await countTokens(text), exactly(text))).toBeLessThan(0.15)
    expect(await countTokens(text, { exact: true })).toBe(exactly(text))
    expect(await countTokens([{ role: 'user', content: text }])).toBeGreaterThan(await countTokens(text))
    await expect(countTokens(text, { exakt: true } as object)).rejects.toMatchObject({ code: 'LOOM_OPTION_UNKNOWN' })
  })

  test('special tokens in a text are text, and long runs of one letter take no quadratic time', async () => {
    expect(await countTokens('<|endoftext|>', { exact: true })).toBeGreaterThan(1)
    expect(await countTokens('a'.repeat(200_000), { exact: true })).toBeGreaterThan(10_000)
    expect(await countTokens('汉'.repeat(100_000), { exact: true })).toBeGreaterThan(10_000)
  })

  test('any text has a count that is finite, not negative, and about the sum of its halves', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(400), async (text, cut) => {
        const whole = await countTokens(text)
        const halves = (await countTokens(text.slice(0, cut))) + (await countTokens(text.slice(cut)))
        expect(Number.isSafeInteger(whole)).toBe(true)
        expect(whole >= 0 && Math.abs(whole - halves) <= 4 + text.length * 0.1).toBe(true)
      }),
    ))

  test.each([
    ['Russian', 'Заказ обработан, и счёт отправлен сегодня утром. Пожалуйста, проверьте адрес доставки и номер телефона.', 0.15],
    ['Japanese', '注文の処理が完了し、請求書は本日の午後に発送されます。配送先の住所をご確認ください。', 0.15],
    ['Korean', '주문 처리가 완료되었으며 청구서는 오늘 오후에 발송됩니다. 배송 주소를 확인해 주세요.', 0.2],
    ['Arabic', 'تمت معالجة الطلب وسيتم إرسال الفاتورة بعد ظهر اليوم. يرجى التحقق من عنوان التسليم.', 0.25],
    ['emoji', '😀🎉👍🚀❤️✅🔥'.repeat(10), 0.35],
    ['numbers', Array.from({ length: 80 }, (_, n) => n * n * 37).join(' '), 0.1],
  ])('estimates %s', async (_, text, most) => {
    expect(offBy(await countTokens(text), exactly(text))).toBeLessThan(most)
  })
})
