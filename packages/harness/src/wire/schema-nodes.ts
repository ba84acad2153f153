/** The schemas inside a schema. */
import { isLoose, type Loose, loose } from './loose.ts'

/** A schema and the way to it, as keys. */
export interface SchemaNode {
  readonly node: Loose
  readonly path: readonly string[]
}

/** The schema itself and all schemas in it, outermost first. */
export function schemaNodes(schema: unknown, path: readonly string[] = []): readonly SchemaNode[] {
  if (!isLoose(schema)) return []
  const inside = ([key, value]: [string, unknown]): readonly SchemaNode[] => {
    if (key === 'properties' || key === '$defs' || key === 'definitions') {
      return Object.entries(loose(value)).flatMap(([name, child]) => schemaNodes(child, [...path, key, name]))
    }
    if (Array.isArray(value)) return isMany(key) ? value.flatMap((child, index) => schemaNodes(child, [...path, key, String(index)])) : []
    return key === 'items' || key === 'additionalProperties' ? schemaNodes(value, [...path, key]) : []
  }
  return [{ node: schema, path }, ...Object.entries(schema).flatMap(inside)]
}

const isMany = (key: string): boolean => key === 'anyOf' || key === 'oneOf' || key === 'allOf'

/** Whether a schema is of a type, alone or among others. */
export function isOfType({ type }: Loose, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name
}
