/** The built-in file tools: the model reads within the root and cannot leave it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedModel } from '@loom-agent/testing'
import { fileTools } from '@loom-agent/tools'
import { agent } from 'loom-agent'

const root = mkdtempSync(join(tmpdir(), 'loom-user-'))
writeFileSync(join(root, 'note.txt'), 'silk')
const read = (path: string) => ({ tool: 'read_file', input: { path } })
const model = scriptedModel([{ calls: [read('note.txt'), read('../../etc/passwd')] }, 'It says silk.'])
await agent({ name: 'reader', model, tools: { ...fileTools({ root }) } }).run('Read the note.')
const sent = JSON.stringify(model.requests[1]?.prompt)
assert.match(sent, /silk/)
assert.doesNotMatch(sent, /root:/)
rmSync(root, { recursive: true })
