/**
 * Reading the result of an earlier call again. Loaded on use.
 *
 * MORE-1. It reads what is recorded, whatever the context shows of it: a result that a rebase has cut, dropped or summarized is there whole.
 * MORE-2. It reads results of its own thread, and of the past that a fork shares. A call is named by its place, and never by a digest.
 * MORE-3. What it returns fits the limit of results: reading never makes a result that must be cut again.
 */

import type { Frame, ToolOutcome } from '@loom-agent/kernel'
import { findResult } from '../context/find-result.ts'
import { outputText } from '../context/trim.ts'
import { counted } from '../platform/counted.ts'
import { ownBlob } from './own-blob.ts'
import type { workOf } from './thread-record.ts'

/** What the model asks for. */
export interface ReadMoreInput {
  /** The call whose result is read. */
  readonly call: string
  /** The first character. */
  readonly offset?: number
  /** The most characters. */
  readonly limit?: number
  /** A text: the places that have it are shown. */
  readonly find?: string
}

/** Characters that are kept for what stands around the text. */
const around = 300
/** The least characters that are shown, however little a result may have. */
const least = 100
/** Characters that are shown before and after a place that was searched for. */
const [before, after] = [200, 400]

type Work = ReturnType<typeof workOf>

/** A result that was found. */
interface Found {
  readonly call: string
  readonly tool: string
  readonly text: string
  /** Characters of it that were not kept. */
  readonly lost: number
}

/** The part of a result that is asked for. What cannot be read is an error in words. */
export async function readMore({ call, offset = 0, limit, find }: ReadMoreInput, work: Work): Promise<string> {
  const found = await resultOf(call, work)
  const { length } = found.text
  if (offset >= length && length > 0)
    throw new Error(`The result of call ${call} has ${length} characters: the offset ${offset} is outside of it. Give one below ${length}`)
  const room = Math.max(least, work.definition.behaviour.outputLimit - around)
  const most = Math.min(limit ?? room, room)
  return find === undefined ? rangeOf(found, offset, most) : placesOf(found, { find, offset, most })
}

/** Finds the result of a call, whole. */
async function resultOf(call: string, work: Work): Promise<Found> {
  const { frame } = work.outbox
  if (!/^\d+\.\d+$/.test(call))
    throw new Error(`${JSON.stringify(call.slice(0, 80))} does not name a call of this conversation. Name one as results do, such as 3.0`)
  const found = findResult(frame.history, call)
  if (!found) throw new Error(missing(frame, call))
  return { call, tool: found.result.name, ...(await textOf(found.outcome, work)) }
}

function missing({ turn }: Frame, call: string): string {
  if (Number.parseInt(call, 10) === turn) return `The call ${call} has no result yet`
  return `There is no call ${call} so far. Results, marks and summaries name its calls`
}

async function textOf({ output, whole }: ToolOutcome, { journal, outbox }: Work): Promise<Pick<Found, 'text' | 'lost'>> {
  const bytes = whole && (await ownBlob(journal, outbox.frame.thread, whole.text.$blob))
  return bytes ? { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), lost: whole.lost ?? 0 } : { text: outputText(output), lost: 0 }
}

function rangeOf(found: Found, offset: number, most: number): string {
  const { call, tool, text } = found
  const end = Math.min(text.length, offset + most)
  const range = offset === 0 && end === text.length ? `All ${end} characters` : `Characters ${offset} to ${end} of ${text.length}`
  const rest = end < text.length ? `\n[${text.length - end} characters follow: read on with the offset ${end}]` : lostNote(found)
  return `${range} of the result of call ${call} (${tool}):\n${text.slice(offset, end).toWellFormed()}${rest}`
}

const lostNote = ({ lost }: Found): string => (lost > 0 ? `\n[${lost} more characters of the result were not kept]` : '')

/** The places of a text that have another text, each with what stands around it, as many as fit. */
function placesOf(found: Found, { find, offset, most }: { readonly find: string; readonly offset: number; readonly most: number }): string {
  const { call, tool, text } = found
  const places = matchesIn(text, find, offset)
  const [first] = places
  const words = JSON.stringify(find.slice(0, 80))
  if (first === undefined) return `Nothing from character ${offset} on of the result of call ${call} (${tool}) has ${words}.${lostNote(found)}`
  const shown: string[] = []
  let [end, used] = [-1, 0]
  let count = 0
  for (const place of places.slice(0, mostPlaces)) {
    if (place < end) {
      count += 1
      continue
    }
    const from = Math.max(0, place - before)
    const piece = `[character ${from}]\n${text.slice(from, place + after).toWellFormed()}`
    if (shown.length > 0 && used + piece.length > most) break
    shown.push(piece.slice(0, most))
    used += piece.length
    end = place + after
    count += 1
  }
  const atLeast = (known: string): string => (places.length > mostPlaces ? `at least ${known}` : known)
  const rest = count < places.length ? `\n[${atLeast(counted(places.length - count, 'more place'))}: search on with the offset ${places[count]}]` : ''
  const said = atLeast(counted(Math.min(places.length, mostPlaces), 'place'))
  return `${said[0]?.toUpperCase()}${said.slice(1)} of the result of call ${call} (${tool}) ${places.length === 1 ? 'has' : 'have'} ${words}:\n${shown.join('\n')}${rest}`
}

/** The most places that are counted. */
const mostPlaces = 1000

/** Where a text has another one, in any case of its letters; one place more than are counted, where there is one. */
function matchesIn(text: string, find: string, offset: number): readonly number[] {
  const pattern = new RegExp(find.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'giu')
  pattern.lastIndex = offset
  const places: number[] = []
  for (let match = pattern.exec(text); match && places.length <= mostPlaces; match = pattern.exec(text)) {
    places.push(match.index)
  }
  return places
}
