/** Loaded before a program: replaces the passage of a source fault when its file is loaded. */
import { registerHooks } from 'node:module'
import { faultVariable, type SourcePatch, sourceFaults } from './source-fault.ts'

const name = process.env[faultVariable] ?? ''
const faults: Readonly<Record<string, SourcePatch>> = sourceFaults
const fault = faults[name]
if (!fault) throw new Error(`There is no source fault ${name}.`)
const { file, passage, instead } = fault
let isPlanted = false

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith(`/packages/${file}`)) return loaded
    const source = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString('utf8')
    const parts = source.split(passage)
    if (parts.length !== 2) throw new Error(`The fault ${name} needs its passage once in ${file}, and it is there ${parts.length - 1} times.`)
    isPlanted = true
    return { ...loaded, source: parts.join(instead) }
  },
})

process.on('exit', (code) => {
  if (code === 0 && !isPlanted) {
    console.error(`The fault ${name} was not planted: ${file} was never loaded.`)
    process.exitCode = 1
  }
})
