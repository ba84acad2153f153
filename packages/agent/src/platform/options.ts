/** Checks of what is given to Loom: options, and what hooks, strategies and durable bodies return or ask for. */
import { type CheckOptions, optionChecker } from './expected.ts'
import { adviceFor } from './foreign-names.ts'
import { shown } from './normalize.ts'

/** Refuses options that are unknown or do not fit. */
export const checkOptions: CheckOptions = optionChecker({ advise: adviceFor, show: shown })

/** The same for the definition of a tool. */
export const checkToolOptions: CheckOptions = optionChecker({ advise: adviceFor, show: shown, code: 'LOOM_TOOL_INVALID' })

/** The same for models: their definitions, and what they reply. */
export const checkModelOptions: CheckOptions = optionChecker({ show: shown, code: 'LOOM_MODEL_INVALID' })
