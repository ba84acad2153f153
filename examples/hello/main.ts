import { agent } from 'loom-agent'
import { model } from '#ai'

console.log((await agent({ model }).run('Hi')).text)
