/** Words, dates and answers of the offline model, in both languages. */
import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { offlineModel } from '../src/offline/index.ts'
import { toolboxes } from './offline-toolboxes.ts'

const user = (text: string): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] })

async function ask(messages: LanguageModelV4Message[], tools: readonly LanguageModelV4FunctionTool[]): Promise<{ text: string; calls: unknown[] }> {
  const { content } = await offlineModel({ shown: 20 }).doGenerate({ prompt: messages, tools: [...tools] })
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: content.flatMap((part) => (part.type === 'tool-call' ? [JSON.parse(part.input) as unknown] : [])),
  }
}

/** What it says when the only call of a sentence ended like this. */
async function told(sentence: string, output: LanguageModelV4ToolResultOutput): Promise<string> {
  const { content } = await offlineModel().doGenerate({ prompt: [user(sentence)], tools: toolboxes.files })
  const [call] = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
  const { toolCallId = '', toolName = '', input = '{}' } = call ?? {}
  const done: LanguageModelV4Message[] = [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: JSON.parse(input) as unknown }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
  ]
  return (await ask([user(sentence), ...done], toolboxes.files)).text
}

describe('dates', () => {
  const dates: readonly (readonly [string, string])[] = [
    ['Create an event "x" on 2025-03-14', '2025-03-14'],
    ['Create an event "x" on March 4, 2025', '2025-03-04'],
    ['Create an event "x" on Dec 24th 2025', '2025-12-24'],
    ['Create an event "x" on 2025/3/4', '2025-03-04'],
    ['创建日程“x”，日期 2025年3月4日', '2025-03-04'],
  ]
  for (const [sentence, date] of dates)
    test(sentence, async () => expect((await ask([user(sentence)], toolboxes.office)).calls).toEqual([{ title: 'x', date }]))

  test('tomorrow is no date for a model without a clock', async () => {
    expect((await ask([user('Create an event "x" tomorrow')], toolboxes.office)).calls).toEqual([])
  })
})

describe('numbers and times in words', () => {
  const said: readonly (readonly [string, readonly LanguageModelV4FunctionTool[], unknown])[] = [
    ['Set a timer for twenty-five minutes', toolboxes.home, { minutes: 25 }],
    ['设一个两百三十分钟的定时器', toolboxes.home, { minutes: 230 }],
    ['设一个十二分钟的定时器', toolboxes.home, { minutes: 12 }],
    ['Set an alarm for 7 pm', toolboxes.house, { time: '19:00' }],
    ['Set an alarm for 12:15 am', toolboxes.house, { time: '00:15' }],
    ['定一个下午三点二十分的闹钟', toolboxes.house, { time: '15:20' }],
    ['定一个中午12点的闹钟', toolboxes.house, { time: '12:00' }],
    ['把音量调到百分之三十', toolboxes.media, { percent: 30 }],
  ]
  for (const [sentence, tools, input] of said) test(sentence, async () => expect((await ask([user(sentence)], tools)).calls).toEqual([input]))

  test('a numeral in a name is part of the name', async () => {
    expect((await ask([user('给张三发消息：你好')], toolboxes.chinese)).calls).toEqual([{ contact: '张三', message: '你好' }])
  })

  test('a result that is no number ends the calculation, and the answer says so', async () => {
    const sentence = 'Add 1 and 2, then multiply the result by 3'
    const done: LanguageModelV4Message[] = [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'add', input: { a: 1, b: 2 } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'add', output: { type: 'text', value: 'unknown' } }] },
    ]
    const { calls, text } = await ask([user(sentence), ...done], toolboxes.adder)
    expect(calls).toEqual([])
    expect(text).toContain('not complete')
  })
})

describe('what tools are called and look like', () => {
  const tool = (name: string, description: string, properties: Record<string, object>): LanguageModelV4FunctionTool => {
    return { type: 'function', name, description, inputSchema: { type: 'object', properties, required: Object.keys(properties) } as never }
  }

  test('two tools that fit alike are a question, and the name decides', async () => {
    const city = { city: { type: 'string' } }
    const tools = [tool('east_weather', 'Weather of the east.', city), tool('west_weather', 'Weather of the west.', city)]
    const { text, calls } = await ask([user('What is the weather in Oslo?')], tools)
    expect(calls).toEqual([])
    expect(text).toContain('east_weather, west_weather')
    expect((await ask([user('Use west_weather in Oslo')], tools)).calls).toEqual([{ city: 'Oslo' }])
  })

  test('camel case, lists of texts, several types and choices by any case', async () => {
    const labels = tool('addLabels', 'Adds labels to an issue.', {
      issueNumber: { type: ['integer', 'null'] },
      labels: { type: 'array', items: { type: 'string' } },
      mode: { anyOf: [{ type: 'null' }, { enum: ['Replace', 'Keep'] }] },
    })
    expect((await ask([user('Add labels: bug, ui to issue number 7, mode: keep')], [labels])).calls).toEqual([])
    expect((await ask([user('Add the labels "bug" to issue number 7, mode: keep')], [labels])).calls).toEqual([
      { issueNumber: 7, labels: ['bug'], mode: 'Keep' },
    ])
  })

  test('a field that only an object can fill is asked for', async () => {
    const { text } = await ask([user('Create a report')], [tool('create_report', 'Creates a report.', { options: { type: 'object' } })])
    expect(text).toContain('options')
  })

  test('summaries of a text that is given, and of nothing', async () => {
    expect((await ask([user('Summarise "Cats sleep. Cats eat. Dogs bark."')], [])).text).toContain('Cats')
    expect((await ask([user('Summarise the file')], toolboxes.files)).text).toContain('path')
    expect((await ask([user('Summarise the war')], toolboxes.files)).text).toContain('cannot')
  })
})

describe('answers', () => {
  const long = 'x'.repeat(50)
  const answers: readonly (readonly [string, LanguageModelV4ToolResultOutput, string])[] = [
    ['Read a.txt', { type: 'text', value: 'read_file returned nothing.' }, 'read_file returned nothing.'],
    ['Read a.txt', { type: 'text', value: long }, '[... 30 more characters]'],
    ['Read a.txt', { type: 'json', value: { content: 'hello', lines: 1 } }, 'read_file: hello'],
    ['Read a.txt', { type: 'json', value: { lines: 1 } }, '{"lines":1}'],
    ['Read a.txt', { type: 'json', value: 7 }, 'read_file: 7'],
    ['Read a.txt', { type: 'error-json', value: { why: 'gone' } }, 'read_file failed: {"why":"gone"}'],
    ['Read a.txt', { type: 'content', value: [{ type: 'text', text: 'one' }, { type: 'custom' }] }, 'one\n[custom]'],
    ['Read a.txt', { type: 'execution-denied' }, 'I was not permitted to use read_file, so I did not.'],
    ['读取 a.txt', { type: 'text', value: 'read_file returned nothing.' }, 'read_file 没有返回内容。'],
    ['读取 a.txt', { type: 'text', value: long }, '还有 30 个字符'],
    ['读取 a.txt', { type: 'error-text', value: '没有这个文件' }, 'read_file 失败：没有这个文件'],
    ['读取 a.txt，然后列出文件夹 b', { type: 'execution-denied', reason: '不行' }, '没有再做：list。'],
    ['总结 a.txt', { type: 'text', value: '猫睡觉。' }, 'a.txt 的摘要'],
    ['把 a.txt 的内容复制到 b.txt', { type: 'text', value: 'x\n[lines 1-1 of 9; read on with offset 2]' }, '内容不完整'],
  ]
  for (const [sentence, output, text] of answers) {
    test(`${sentence}: ${JSON.stringify(output).slice(0, 60)}`, async () => expect(await told(sentence, output)).toContain(text))
  }

  const refusals: readonly (readonly [string, string])[] = [
    ['不要读取 a.txt', '你要求不做'],
    ['读取 a.txt，然后发射火箭', '只听懂了一部分'],
    ['把一首诗写到 a.txt', '我不会自己写文章'],
    ['读'.repeat(2001), '只读简短的请求'],
  ]
  for (const [sentence, text] of refusals) {
    test(`${sentence.slice(0, 20)}: ${text}`, async () => expect((await ask([user(sentence)], toolboxes.files)).text).toContain(text))
  }
})
