/** The part of the driver, the package `postgres`, that the journal uses. */
import { journalError } from '../storage/failure.ts'
import type { Config } from './options.ts'

/** A value for the server. Everything is sent as text: the driver may convert other values twice when it sends them again. */
export type Value = string | number | null

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>

/** Whether a value of a row is a row itself: a column of JSON. */
export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** The rows of a result, and how many rows the statement has read or written. */
export type Result = readonly Row[] & { readonly count: number }

/** Connections to one database. */
export interface Sql {
  unsafe(statement: string, values?: readonly Value[], options?: { readonly prepare: boolean }): Promise<Result>
  end(options: { readonly timeout: number }): Promise<unknown>
}

/** Makes connections, at their first use. */
export type Driver = (address: unknown, options: object) => Sql

/** Loads the driver. */
export async function loadDriver({ driver }: Config): Promise<Driver> {
  try {
    return (await driver()).default as Driver
  } catch (cause) {
    throw journalError('unusable', 'The journal in PostgreSQL needs the package postgres. Install it: npm install postgres', { cause })
  }
}
