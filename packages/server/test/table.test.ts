/** What is made from the table of routes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApi } from '@loom-agent/server'
import { expect, test } from 'vitest'
import { clientSources } from '../../../tools/server/client-source.ts'
import { operations } from '../src/client/operations.ts'
import { routes } from '../src/web/api/table.ts'

/** A source without what the formatter decides. */
const bare = (source: string): string =>
  source
    .replaceAll(/\s+/g, '')
    .replaceAll(/[,;](?=[}\])])/g, '')
    .replaceAll(/(?<=})(?=readonly)/g, ';')
    .replaceAll(';', '')
    .replaceAll(/\|(?=')|(?<=:)\|/g, '')

test.each(Object.entries(clientSources()))('%s of the client is what the table of routes makes', (name, source) => {
  const written = readFileSync(join(import.meta.dirname, '../src/client', name), 'utf8')
  expect(bare(written)).toBe(bare(source))
})

test('the description has every route, with its scope, its parameters, its body and its reply', () => {
  const { paths, openapi } = openApi() as { paths: Record<string, Record<string, Record<string, unknown>>>; openapi: string }
  expect(openapi).toBe('3.1.0')
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation['operationId'], operation['x-scope']]),
  )
  expect(described.sort()).toEqual(routes.map(({ method, path, name, scope }) => [method, path, name, scope]).sort())
  for (const { path, method, body, takes, query, reply } of routes) {
    const operation = paths[path]?.[method.toLowerCase()] ?? {}
    const parameters = operation['parameters'] as readonly { name: string; in: string }[]
    expect(parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
    expect(parameters.filter((one) => one.in === 'query').map(({ name }) => name)).toEqual(Object.keys(query?.json['properties'] ?? {}))
    expect('requestBody' in operation).toBe(body !== undefined || takes !== undefined)
    expect(Object.keys(operation['responses'] as object)).toContain(reply.schema || reply.type ? String(reply.status ?? 200) : '204')
  }
})

test('the description is JSON that refers to nothing it does not have', () => {
  const text = JSON.stringify(openApi({ base: '/api/loom' }))
  expect(JSON.parse(text)).toMatchObject({ servers: [{ url: '/api/loom' }], components: { responses: { Problem: {} } } })
  expect(new Set(text.match(/"\$ref":"[^"]+"/g))).toEqual(new Set(['"$ref":"#/components/responses/Problem"']))
})

test('the client has a method for each route', () => {
  expect(Object.entries(operations).map(([name, { method, path }]) => [name, method, path])).toEqual(
    routes.map(({ name, method, path }) => [name, method, path]),
  )
})
