/** Mending a call that failed: once, and only where the error says what is wrong with which argument. */
import type { JsonSchema, Slot } from './slots.ts'
import { typeOf } from './slots.ts'
import type { ToolCard } from './tool-card.ts'

/** A call's arguments. */
export type Input = Readonly<Record<string, unknown>>

const suggestion = /did you mean\s+["'`“]?([^"'`”?\n]+?)["'`”]?\s*\?|你(?:是不是|是否)(?:想|指)[^“"]*[“"]([^”"]+)[”"]/iu

/** Better arguments, or undefined when the error does not say how. `looks`: the call changes nothing, so a suggested name may be tried. */
export function repairInput(input: Input, error: string, { card, looks }: { card: ToolCard; looks: boolean }): Input | undefined {
  const suggested = looks ? suggestion.exec(error) : null
  const better = suggested?.[1] ?? suggested?.[2]
  if (better !== undefined) {
    const wrong = Object.keys(input).find((name) => typeof input[name] === 'string' && error.includes(input[name]))
    return wrong !== undefined && input[wrong] !== better ? { ...input, [wrong]: better } : undefined
  }
  for (const slot of card.slots) {
    if (!(slot.name in input) || !names(error, slot.name)) continue
    const mended = mend(slot, input[slot.name], error)
    if (mended !== undefined) return { ...input, [slot.name]: mended }
    if (!slot.required) return Object.fromEntries(Object.entries(input).filter(([name]) => name !== slot.name))
  }
  return undefined
}

const names = (error: string, name: string): boolean => new RegExp(`(?<![\\w])${name.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&')}(?![\\w])`).test(error)

/** The same value in the type that is wanted; undefined when it is already, or cannot be. */
function mend({ schema }: Slot, value: unknown, error: string): unknown {
  const wanted = expectedType(error) ?? typeOf(schema)
  if (wanted === 'string' && typeof value !== 'string') return String(value)
  if ((wanted === 'number' || wanted === 'integer') && typeof value !== 'number') return Number.isFinite(Number(value)) ? Number(value) : undefined
  if (wanted === 'integer' && typeof value === 'number' && !Number.isInteger(value)) return Math.round(value)
  if (wanted === 'array' && !Array.isArray(value)) return [value]
  return typeof value === 'number' ? withinBounds(schema, value) : oneOf(schema, value)
}

const expectedType = (error: string): string | undefined => /expected (?:an? )?["']?(string|number|integer|array)\b/i.exec(error)?.[1]?.toLowerCase()

function withinBounds({ minimum, maximum }: JsonSchema, value: number): number | undefined {
  const bounded = Math.min(Math.max(value, minimum ?? value), maximum ?? value)
  return bounded === value ? undefined : bounded
}

function oneOf({ enum: choices }: JsonSchema, value: unknown): unknown {
  return choices?.find((choice) => choice !== value && String(choice).toLowerCase() === String(value).toLowerCase())
}
