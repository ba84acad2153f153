/** The models that Loom knows, each with the page that says so. A model that is not here works all the same; its price is not known. */
import { anthropicModels } from './anthropic.ts'
import { googleModels } from './google.ts'
import type { ModelTable } from './model-info.ts'
import { openaiModels } from './openai.ts'

/** All known models. */
export const modelTable: ModelTable = { ...anthropicModels, ...openaiModels, ...googleModels }
