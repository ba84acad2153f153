/**
 * Replacing passages of a text.
 *
 * EDIT-1. A passage is replaced only where it stands exactly once, unless all of them are meant. Either all edits of a list are made or none.
 * EDIT-2. Nothing but the passages changes: a text whose lines end with CRLF keeps these ends, in the new passages too.
 */
import { nearest } from '@loom-agent/agent/kit'

/** One replacement. */
export interface Replacement {
  readonly old: string
  readonly new: string
  readonly all?: boolean
}

/** Why an edit cannot be made: a sentence that says what is there instead. */
export interface EditProblem {
  readonly problem: string
}

/** Makes the replacements one after another, each in what the ones before it have left. */
export function replaceAll(text: string, edits: readonly Replacement[]): string | EditProblem {
  let result = text
  for (const [index, edit] of edits.entries()) {
    const next = replaceOne(result, edit)
    if (typeof next !== 'string') return edits.length === 1 ? next : { problem: `edits[${index}]: ${next.problem}` }
    result = next
  }
  return result
}

function replaceOne(text: string, edit: Replacement): string | EditProblem {
  if (edit.old === '') return { problem: 'old is empty. Give the passage that is to be replaced.' }
  if (edit.old === edit.new) return { problem: 'old and new are the same. Give another new passage.' }
  const given = endsWithCrlf(text) ? crlf(edit) : edit
  const found = placesOf(text, given.old)
  const fitting = found.length === 0 ? crlf(edit) : given
  const places = found.length === 0 ? placesOf(text, fitting.old) : found
  if (places.length === 0) return { problem: `old was not found. ${nearMiss(text, edit.old)}` }
  if (places.length > 1 && !edit.all) {
    return { problem: `old stands there ${places.length} times (lines ${linesOf(text, places)}). Give more of the lines around it, or all: true.` }
  }
  return text.split(fitting.old).join(fitting.new)
}

/** Whether every line ends with CRLF. */
const endsWithCrlf = (text: string): boolean => text.includes('\r\n') && !/(?<!\r)\n/u.test(text)

const crlf = ({ old, new: replacement, all = false }: Replacement): Replacement => ({ old: toCrlf(old), new: toCrlf(replacement), all })
const toCrlf = (text: string): string => text.replace(/\r?\n/gu, '\r\n')

/** Places that are looked for at most. */
const mostPlaces = 1000

/** Where a passage begins. Places that overlap count: it is not clear which of them is meant. */
function placesOf(text: string, passage: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(passage); at >= 0 && places.length < mostPlaces; at = text.indexOf(passage, at + 1)) places.push(at)
  return places
}

const mostNamed = 10

function linesOf(text: string, places: readonly number[]): string {
  const lines = places.slice(0, mostNamed).map((place) => text.slice(0, place).split('\n').length)
  return `${lines.join(', ')}${places.length > mostNamed ? ', ...' : ''}`
}

/** Lines that are compared at most, and how long they may be. */
const mostCompared = 5000
const longestCompared = 300
const longestShown = 200

/** The line that is nearest to the first line of a passage: a model can repair its edit by it. */
function nearMiss(text: string, passage: string): string {
  const wanted = passage.split(/\r?\n/u).find((line) => line.trim() !== '') ?? ''
  const lines = text.split(/\r?\n/u).slice(0, mostCompared)
  const sameWords = lines.findIndex((line) => line.trim() !== '' && withoutSpaces(line) === withoutSpaces(wanted))
  if (sameWords >= 0) {
    const isWhole = lines[sameWords]?.includes(wanted)
    const why = isWhole ? 'The lines after it differ.' : 'Only its spaces differ.'
    return `The nearest is line ${sameWords + 1}: ${shown(lines[sameWords])}. ${why}`
  }
  const near = nearest(
    wanted.slice(0, longestCompared),
    lines.filter((line) => line.length <= longestCompared),
  )
  return near === undefined ? 'Nothing there is like it: read the file again.' : `The nearest is line ${lines.indexOf(near) + 1}: ${shown(near)}.`
}

const withoutSpaces = (line: string): string => line.replace(/\s+/gu, '')
const shown = (line = ''): string => JSON.stringify(line.slice(0, longestShown))
