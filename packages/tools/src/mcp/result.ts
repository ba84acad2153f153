/**
 * Results of servers, as tools return them.
 *
 * MCP-11. What a server returns was written by others: the model gets it between marks that say so, with everything hidden written out, and the call notes it.
 */
import { content, type InputPart } from '@loom-agent/agent'
import { noted } from '@loom-agent/agent/kit'
import { type Json, type JsonObject, LoomError } from '@loom-agent/kernel'
import { untrusted } from '../web/untrusted.ts'
import { visible, visibleContent } from './plain-text.ts'

/** Whose result it is. */
export interface ResultOf {
  readonly server: string
  readonly tool: string
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** What a tool returns for a result of a server: a text, or parts; an error, where the server says that it is one. */
export function returned(result: JsonObject, { server, tool }: ResultOf): unknown {
  const blocks = Array.isArray(result['content']) ? result['content'].filter(isObject) : []
  const texts = blocks.map(textIn)
  const files = blocks.flatMap(fileIn)
  const structured = result['structuredContent']
  const isNew = structured !== undefined && !blocks.some((block) => isSameJson(textOf(block['text']), structured))
  const all = [...texts, ...(isNew ? [JSON.stringify(structured)] : [])].map(visibleContent)
  const said = all.some((text) => text.trim() !== '') ? untrusted(`MCP server ${server}, tool ${tool}`, all) : ''
  const notes = { untrusted: true, mcp: { server, tool } }
  if (result['isError'] === true) {
    return noted(
      new LoomError('LOOM_TOOL_FAILED', said === '' ? `The MCP server ${server} says that ${tool} failed, and not why.` : said, {
        context: { server },
      }),
      notes,
    )
  }
  if (files.length === 0) return noted(said, notes)
  return noted(content([...(said === '' ? [] : [{ type: 'text', text: said } as const]), ...files]), notes)
}

function isSameJson(text: string, value: Json): boolean {
  if (!text.trimStart().startsWith('{') && !text.trimStart().startsWith('[')) return false
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value)
  } catch {
    return false
  }
}

const isMediaType = (type: string): boolean => /^[a-z]+\/[a-z0-9.+-]{1,80}$/i.test(type)
const isBase64 = (data: string): boolean => data !== '' && data.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(data)

/** What of a block is text. */
function textIn(block: JsonObject): string {
  const { type, text, uri, name, description, resource } = block
  if (type === 'text') return textOf(text)
  if (type === 'resource_link') {
    const about = [textOf(name), textOf(description)].filter((part) => part !== '').join(': ')
    return `[resource ${textOf(uri)}${about === '' ? '' : ` (${about})`}]`
  }
  if (type === 'resource' && isObject(resource)) {
    const head = `[resource ${textOf(resource['uri'])}]`
    return 'text' in resource ? `${head}\n${textOf(resource['text'])}` : head
  }
  if (fileIn(block).length > 0) return ''
  return `[a part of the kind ${visible(textOf(type).slice(0, 40)).text || 'unknown'} that cannot be used]`
}

/** What of a block is a file. */
function fileIn(block: JsonObject): readonly InputPart[] {
  const { type, data, mimeType, resource } = block
  if (type === 'image' || type === 'audio') return fileOf(textOf(data), textOf(mimeType), undefined)
  if (type === 'resource' && isObject(resource) && 'blob' in resource)
    return fileOf(textOf(resource['blob']), textOf(resource['mimeType']), visible(textOf(resource['uri'])).text.slice(0, 200))
  return []
}

function fileOf(data: string, type: string, name: string | undefined): readonly InputPart[] {
  const mediaType = isMediaType(type) ? type.toLowerCase() : 'application/octet-stream'
  if (!isBase64(data)) return []
  return [{ type: 'file', data, mediaType, ...(name !== undefined && { name }) }]
}
