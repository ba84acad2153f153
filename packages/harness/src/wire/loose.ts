/** Reads JSON of any shape without throwing. */

/** An object with unknown fields. */
export type Loose = Readonly<Record<string, unknown>>

/** Whether it is an object, and neither a list nor null. */
export const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is an object, else an empty one. */
export const loose = (value: unknown): Loose => (isLoose(value) ? value : {})

/** The objects of a list; anything in it that is none counts as an empty one. */
export const looseList = (value: unknown): readonly Loose[] => (Array.isArray(value) ? value.map(loose) : [])

/** The value as JSON if it is a text that can be read so. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
