/**
 * The patterns of JSON Schemas, asked of texts in steps that grow with the length of the text alone.
 *
 * PATTERN-1. A pattern may be a stranger's, and the regular expressions of the platform try all ways through a text: `^(a+)+$` never ends. Here each way is
 *     taken once from each place of the text. Patterns mean what they mean to the platform with the flag `u`; what cannot be asked so (references back to
 *     what was matched, looking behind, flags inside) is refused.
 */
import { type PatternNode, parsePattern } from './text-pattern-syntax.ts'

/** Whether a text has a match. `spend` is called with the steps it took, and may throw. */
export type TextPattern = (text: string, spend: (steps: number) => void) => boolean

/** One step of a pattern. A `split` goes on with the next step and with another one, an `ahead` with `to`, where what follows it looks ahead. */
type Step =
  | { readonly kind: 'char'; readonly fits: (point: number) => boolean }
  | { readonly kind: 'split'; to: number; readonly mark: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'ahead'; readonly is: boolean; to: number }
  | { readonly kind: 'match' }
  | Place

/** What a place of a text is to be. */
type Place = { readonly kind: 'border'; readonly is: boolean } | { readonly kind: 'begin' } | { readonly kind: 'end' }

/** Steps of a pattern, places where it splits, and parts of it that were turned into steps. */
interface Program {
  readonly steps: Step[]
  marks: number
  parts: number
}

/** How many parts a pattern may have, with all repetitions that it counts, and for how many places of a text at how many splits there is room. */
const most = { parts: 20_000, places: 200_000_000 }

/** Makes a pattern. Throws where it is none, or cannot be asked in linear time. */
export function textPattern(source: string): TextPattern {
  const program: Program = { steps: [], marks: 0, parts: 0 }
  emit(program, parsePattern(source))
  program.steps.push({ kind: 'match' })
  return (text, spend) => matches(program, { text, spend, from: 0, anywhere: true, start: 0 })
}

function emit(program: Program, node: PatternNode): void {
  const { steps } = program
  // A part may have no step, and be repeated.
  program.parts += 1
  if (program.parts > most.parts) throw new Error(`it has more than ${most.parts} parts, with all its repetitions`)
  switch (node.kind) {
    case 'sequence':
      for (const part of node.parts) emit(program, part)
      return
    case 'either':
      return emitEither(program, node.parts)
    case 'repeat':
      return emitRepeat(program, node)
    case 'ahead': {
      const ahead = { kind: 'ahead' as const, is: node.is, to: 0 }
      steps.push(ahead)
      emit(program, node.part)
      steps.push({ kind: 'match' })
      ahead.to = steps.length
      return
    }
    default:
      steps.push(node)
  }
}

function emitEither(program: Program, parts: readonly PatternNode[]): void {
  const ends: { to: number }[] = []
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1) emit(program, part)
    else {
      const next = split(program)
      emit(program, part)
      const end = { kind: 'jump' as const, to: 0 }
      ends.push(end)
      program.steps.push(end)
      next.to = program.steps.length
    }
  }
  for (const end of ends) end.to = program.steps.length
}

function emitRepeat(program: Program, { part, from, to }: Extract<PatternNode, { kind: 'repeat' }>): void {
  for (let count = 0; count < from; count += 1) emit(program, part)
  if (to === Number.POSITIVE_INFINITY) {
    const start = program.steps.length
    const loop = split(program)
    emit(program, part)
    program.steps.push({ kind: 'jump', to: start })
    loop.to = program.steps.length
    return
  }
  const ends: { to: number }[] = []
  for (let count = from; count < to; count += 1) {
    ends.push(split(program))
    emit(program, part)
  }
  for (const end of ends) end.to = program.steps.length
}

function split(program: Program): { to: number } {
  const made = { kind: 'split' as const, to: 0, mark: program.marks }
  program.marks += 1
  program.steps.push(made)
  return made
}

/** What is asked: of which text, from which step and place on, and whether a match may begin at any later place. */
interface Asked {
  readonly text: string
  readonly spend: (steps: number) => void
  readonly from: number
  readonly anywhere: boolean
  readonly start: number
}

/** Whether there is a way to a match. A way that was begun at a split once failed from there, or is still to be taken. */
function matches(program: Program, asked: Asked): boolean {
  const { text, spend, from, anywhere, start } = asked
  const places = text.length + 1
  const size = (program.marks * places) / 8 + 1
  if (size * 8 > most.places) throw new Error('the text is too long to be asked about it')
  spend(size >> 6)
  const been = new Uint8Array(size)
  for (let first = start; first <= text.length; first += widthAt(text, first)) {
    const open = [from, first]
    while (open.length > 0) {
      const at = open.pop() as number
      const step = open.pop() as number
      if (follow(program, { ...asked, start: at, from: step }, { open, been })) return true
    }
    if (!anywhere) return false
    spend(1)
  }
  return false
}

/** Follows one way until it ends, and notes the others that leave it. */
function follow(program: Program, { text, spend, from, start }: Asked, { open, been }: { open: number[]; been: Uint8Array }): boolean {
  let at = start
  for (let index = from; ; index += 1) {
    const step = program.steps[index] as Step
    spend(1)
    switch (step.kind) {
      case 'match':
        return true
      case 'char': {
        const point = text.codePointAt(at)
        if (point === undefined || !step.fits(point)) return false
        at += widthAt(text, at)
        break
      }
      case 'split': {
        const place = step.mark * (text.length + 1) + at
        const bit = 1 << (place & 7)
        if (((been[place >> 3] ?? 0) & bit) !== 0) return false
        been[place >> 3] = (been[place >> 3] ?? 0) | bit
        open.push(step.to, at)
        break
      }
      case 'jump':
        index = step.to - 1
        break
      case 'ahead':
        if (matches(program, { text, spend, from: index + 1, anywhere: false, start: at }) !== step.is) return false
        index = step.to - 1
        break
      default:
        if (!isPlace(step, text, at)) return false
    }
  }
}

function isPlace(step: Place, text: string, at: number): boolean {
  if (step.kind === 'border') return (isWord(text[at - 1]) !== isWord(text[at])) === step.is
  return at === (step.kind === 'begin' ? 0 : text.length)
}

const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

const isWord = (char: string | undefined): boolean => char !== undefined && /^\w$/.test(char)
