/** The models that Loom knows. A model that is not in the table works too, without a price. */
import { anthropicModels } from './anthropic.ts'
import { googleModels } from './google.ts'
import type { ModelTable } from './model-info.ts'
import { openaiModels } from './openai.ts'

/** All known models. */
export const modelTable: ModelTable = { ...anthropicModels, ...openaiModels, ...googleModels }
