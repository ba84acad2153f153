/** Rules that name what calls of the built-in tools ask for. */
import { agent, type Policy, type Tool } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { scriptedModel } from '@loom-agent/testing'
import { httpTool, shellTools, webTools } from '@loom-agent/tools'
import { describe, expect, test } from 'vitest'

/** What becomes of a call: that it would run, what is asked, or why it is denied. Nothing runs: the answer to every question is no. */
async function fateOf(tool: 'bash' | 'http_request' | 'fetch', input: object, permissions: Policy, persistent = false): Promise<string> {
  const bash = (): Tool => shellTools({ cwd: '.', sandbox: 'none', persistent }).bash
  const given = tool === 'bash' ? bash() : tool === 'fetch' ? webTools().fetch : httpTool({ methods: ['POST'] })
  const calls: string[] = []
  const seen = { ...given, definition: { ...toolDefinitionOf(given), run: () => calls.push('ran') } }
  const model = scriptedModel([{ calls: [{ tool, input }] }, 'Done.'])
  const { status } = await agent({ model, tools: [seen], permissions }).run('go')
  if (status === 'waiting') return 'asks'
  return calls.length > 0 ? 'runs' : 'is denied'
}

describe('rules for commands', () => {
  const permissions: Policy = { 'bash(git log *)': 'allow', 'bash(git push *)': 'deny', 'bash(ls)': 'allow', default: 'ask' }

  test.each([
    ['git log -3', 'runs'],
    ['git log -3 && ls', 'runs'],
    ['timeout 5 git log', 'runs'],
    ['git logout', 'asks'],
    ['git log > log.txt', 'asks'],
    ['git log && rm -r x', 'asks'],
    ['git log $(rm x)', 'asks'],
    ['git log --output=x', 'asks'],
    ['git push origin', 'is denied'],
    ['ls; git -c a=b push origin', 'is denied'],
    ['echo $(git push origin)', 'is denied'],
    ['timeout 5 git push origin', 'is denied'],
  ])('%s %s (COMMAND-9)', async (command, fate) => {
    expect(await fateOf('bash', { command }, permissions)).toBe(fate)
  })

  test.each([
    ['.', 'runs'],
    ['src', 'runs'],
    ['..', 'asks'],
    ['/', 'asks'],
    ['src/../../..', 'asks'],
    ['nowhere', 'asks'],
  ])('hold in the folder of the tool and below: in %s a command %s (COMMAND-13)', async (cwd, fate) => {
    const here = import.meta.dirname.replace(/\/test$/, '')
    const parts = await toolDefinitionOf(shellTools({ cwd: here, sandbox: 'none' }).bash).matcher?.parts({ command: 'git log', cwd })
    expect(parts?.map(({ text }) => text)).toEqual(fate === 'runs' ? ['git log'] : ['git log', `in ${cwd}`])
    const bash = shellTools({ cwd: here, sandbox: 'none', rules: { allow: ['git log *', 'git log'] } })
    const { permission } = toolDefinitionOf(bash.bash)
    expect(typeof permission === 'function' && permission({ command: 'git log', cwd }, {} as never)).toBe(fate === 'runs' ? 'allow' : 'ask')
  })

  test('allow nothing in a shell that stays: an earlier command may have given words another meaning', async () => {
    expect(await fateOf('bash', { command: 'ls' }, permissions, true)).toBe('asks')
    expect(await fateOf('bash', { command: 'git push x' }, permissions, true)).toBe('is denied')
  })

  test('that can never match are refused when the agent is made', () => {
    const { bash } = shellTools({ cwd: '.', sandbox: 'none' })
    expect(() => agent({ tools: [bash], permissions: { 'bash(git log && ls)': 'allow' } })).toThrow(/cannot match a call of bash.*can never match/)
  })
})

describe('rules for hosts', () => {
  const permissions: Policy = { 'http_request(**.example.com)': 'allow', 'http_request(evil.org)': 'deny', default: 'ask' }

  test.each([
    ['https://api.example.com/x', 'runs'],
    ['https://API.Example.com./x', 'is denied'],
    ['https://example.com/', 'asks'],
    ['https://example.com.evil.net/', 'asks'],
    ['https://evil.org/', 'is denied'],
    ['https://user@evil.org/', 'is denied'],
    ['not an address', 'is denied'],
  ])('%s %s', async (url, fate) => {
    expect(await fateOf('http_request', { url }, permissions)).toBe(fate)
  })

  test('hold for pages that are fetched, too', async () => {
    const rules: Policy = { 'fetch(**.example.com)': 'allow', 'fetch(evil.org)': 'deny', default: 'ask' }
    const urls = ['https://api.example.com/', 'https://example.com.evil.org/', 'https://EVIL.org./']
    expect(await Promise.all(urls.map((url) => fateOf('fetch', { url }, rules)))).toEqual(['runs', 'asks', 'is denied'])
  })

  test.each([
    ['https://x.y/z', /Write x\.y/],
    ['127.0.0.1:3000', /Write 127\.0\.0\.1/],
    ['example.com:8080', /Write example\.com/],
    ['[::1]', /Write ::1/],
    ['0:0:0:0:0:0:0:1', /names no host/],
    ['127.1', /Write 127\.0\.0\.1/],
    ['0x7f.1', /Write 127\.0\.0\.1/],
    ['m\u00fcnchen.de', /Write xn--mnchen-3ya\.de/],
    ['user@example.com', /Write example\.com/],
    ['example.com.', /names no host/],
    ['*.10.0.0.1', /names no host/],
    ['*', /names no host/],
    ['exam*.com', /names no host/],
    ['', /names no host/],
  ])('that no request can meet are refused when the agent is made: %j', (pattern, words) => {
    expect(() => agent({ tools: [httpTool()], permissions: { [`http_request(${pattern})`]: 'deny' } })).toThrow(words)
  })

  test.each([
    ['Example.COM', 'https://example.com:8443/'],
    ['127.0.0.1', 'http://127.0.0.1:3000/'],
    ['::1', 'http://[::1]/'],
    ['2001:DB8::1', 'http://[2001:db8:0::1]/'],
    ['*.xn--mnchen-3ya.de', 'https://a.xn--mnchen-3ya.de/'],
    ['_dmarc.example.com', 'https://_dmarc.example.com/'],
    ['localhost', 'http://localhost:3000/'],
  ])('that are accepted are met: %s by %s', async (pattern, url) => {
    expect(await fateOf('http_request', { url }, { [`http_request(${pattern})`]: 'deny', default: 'allow' })).toBe('is denied')
    expect(await fateOf('http_request', { url }, { [`http_request(${pattern})`]: 'allow', default: 'deny' })).toBe('runs')
  })
})
