/** What replies of servers are checked against where the SDK has no schema for them. */
import { jsonSchema } from '@loom-agent/agent'
import type { JsonObject } from '@loom-agent/kernel'

/** Any JSON object. */
export const anyObject: ReturnType<typeof jsonSchema<JsonObject>> = jsonSchema<JsonObject>({ type: 'object' })
