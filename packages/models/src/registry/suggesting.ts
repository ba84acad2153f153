/** Models that their vendor does not know: the error suggests similar names. */
import { nearest } from '@loom-agent/agent/kit'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import { LoomError } from '@loom-agent/kernel'
import { wrapModel } from '../call/wrapper.ts'
import type { ModelTable } from '../table/model-info.ts'

/** The model; a vendor's "not found" becomes an error that lists the nearest names. */
export function suggesting(model: LanguageModelV4, { id, table }: { readonly id: string; readonly table: ModelTable }): LanguageModelV4 {
  const explained = async <T>(call: () => PromiseLike<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      throw isNotFound(error) ? unknownModel(id, table, error) : error
    }
  }
  return wrapModel(model, {
    generate: (options) => explained(() => model.doGenerate(options)),
    stream: (options) => explained(() => model.doStream(options)),
  })
}

const isNotFound = (error: unknown): boolean => typeof error === 'object' && error !== null && 'statusCode' in error && error.statusCode === 404

function unknownModel(id: string, table: ModelTable, cause: unknown): LoomError {
  const [provider = ''] = id.split(/[./]/)
  const known = Object.keys(table).filter((name) => name.startsWith(`${provider}/`))
  const near = nearest(id, known)
  const hint = near === undefined ? (known.length > 0 ? ` Known are: ${known.join(', ')}.` : '') : ` Did you mean "${near}"?`
  const reason = cause instanceof Error ? cause.message : 'not found'
  return new LoomError('LOOM_MODEL_UNRESOLVED', `${provider} knows no model "${id}", or the key may not use it (${reason}).${hint}`, {
    cause,
    context: { model: id },
  })
}
