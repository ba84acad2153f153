/** JSON and JSON Schema as providers exchange them. */

/** A JSON value. */
export type Json = null | string | number | boolean | Readonly<JsonObject> | readonly Json[]

/** A JSON object. */
export type JsonObject = { [key: string]: Json | undefined }

/** The types that JSON Schema knows. */
export type JsonSchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

/** A JSON Schema (draft 7), with the keywords that describe structure; other keywords are allowed and passed on. */
export interface JsonSchema {
  $id?: string | undefined
  $schema?: string | undefined
  $ref?: string | undefined
  title?: string | undefined
  description?: string | undefined
  type?: JsonSchemaType | JsonSchemaType[] | undefined
  properties?: { [key: string]: JsonSchema | boolean } | undefined
  required?: string[] | undefined
  additionalProperties?: JsonSchema | boolean | undefined
  items?: JsonSchema | boolean | (JsonSchema | boolean)[] | undefined
  anyOf?: (JsonSchema | boolean)[] | undefined
  oneOf?: (JsonSchema | boolean)[] | undefined
  allOf?: (JsonSchema | boolean)[] | undefined
  not?: JsonSchema | boolean | undefined
  format?: string | undefined
  pattern?: string | undefined
}
