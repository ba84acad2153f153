import { agent, done } from 'loom-agent'

console.log(done(await agent({ model: 'offline' }).run('Hi')).text)
