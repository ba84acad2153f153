/** Values with their JSON Schema and their type: the table of routes is written with them, so that checks, OpenAPI and the client cannot differ. */
import type { JsonObject } from '@loom-agent/kernel'

/** A JSON Schema, and the type of what it accepts. */
export interface Described<T> {
  /** The JSON Schema. */
  readonly json: JsonObject
  /** Only a type. */
  readonly type?: T
}

/** A field that may be left out. */
export interface Optional<T> extends Described<T> {
  /** Distinguishes it from a field that must be there. */
  readonly isOptional: true
}

/** The type of what a schema accepts. */
export type TypeOf<D> = D extends Described<infer T> ? T : never

type Fields = { readonly [name: string]: Described<unknown> }
type OptionalOf<F> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F]

/** An object with these fields. */
export type ObjectOf<F> = { readonly [K in Exclude<keyof F, OptionalOf<F>>]: TypeOf<F[K]> } & {
  readonly [K in OptionalOf<F>]?: TypeOf<F[K]> | undefined
}

/** A text of so many characters. */
export function text(description: string, { least = 0, most = 200 }: { readonly least?: number; readonly most?: number } = {}): Described<string> {
  return { json: { type: 'string', description, ...(least > 0 && { minLength: least }), maxLength: most } }
}

/** A whole number. */
export function whole(description: string, { least = 0, most }: { readonly least?: number; readonly most?: number } = {}): Described<number> {
  return { json: { type: 'integer', description, minimum: least, ...(most !== undefined && { maximum: most }) } }
}

/** Any number. */
export const number = (description: string): Described<number> => ({ json: { type: 'number', description } })

/** True or false. */
export const flag = (description: string): Described<boolean> => ({ json: { type: 'boolean', description } })

/** One of these texts. */
export const oneOf = <const T extends string>(description: string, ...values: readonly T[]): Described<T> => ({
  json: { type: 'string', description, enum: values },
})

/** Any JSON. */
export const anything = (description: string): Described<unknown> => ({ json: { description } })

/** A list. */
export const list = <T>(description: string, of: Described<T>): Described<readonly T[]> => ({ json: { type: 'array', description, items: of.json } })

/** An object with any fields, each of one kind. */
export const record = <T>(description: string, of: Described<T>): Described<{ readonly [name: string]: T }> => ({
  json: { type: 'object', description, additionalProperties: of.json },
})

/** A value whose type has a name in a package: its schema says no more than that. */
export const named = <T>(name: string, from: string, description: string): Described<T> => ({ json: { title: name, description, 'x-type': from } })

/** A field that may be left out. */
export const optional = <T>(of: Described<T>): Optional<T> => ({ json: of.json, isOptional: true })

/** An object with these fields and no others. */
export function object<const F extends Fields>(fields: F, description?: string): Described<ObjectOf<F>> {
  const required = Object.entries(fields).flatMap(([name, field]) => ('isOptional' in field ? [] : [name]))
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json]))
  return {
    json: {
      type: 'object',
      ...(description !== undefined && { description }),
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
  }
}

/** A page of items, and what the next page begins after. */
export function page<T, N>(item: Described<T>, next: Described<N>): Described<{ readonly items: readonly T[]; readonly next?: N | undefined }> {
  return object({ items: list('The items, in order.', item), next: optional(next) })
}
