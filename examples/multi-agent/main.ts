import { agent, done } from 'loom-agent'
import { model, research } from '#ai'

const researcher = agent({ description: 'Finds facts.', model: research })
const writer = agent({ model, tools: { researcher } })
console.log(done(await writer.run('Write about looms')).text)
