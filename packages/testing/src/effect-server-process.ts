/** The process behind `startEffectServer`: POST /effect counts the key in the body, GET /counts tells. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const counts: Record<string, number> = {}

const server = createServer((request, response) => {
  if (request.url === '/counts') return void response.end(JSON.stringify(counts))
  let key = ''
  request.on('data', (chunk: Buffer) => {
    key += chunk.toString()
  })
  request.on('end', () => {
    counts[key] = (counts[key] ?? 0) + 1
    response.end(String(counts[key]))
  })
  return undefined
})

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
