import { agent } from 'loom-agent'
import { model } from '#ai'

const run = agent({ model }).start('Tell me a story')
for await (const text of run.text()) process.stdout.write(text)
const { status, usage } = await run.result()
console.log(`\n${status}, ${usage.output} tokens`)
