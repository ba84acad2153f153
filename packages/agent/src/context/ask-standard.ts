/** Asking the strategy of an agent that is given none. Loaded on use. */
import { compress } from './compress.ts'
import type { ContextPlan, ContextRequest } from './strategy.ts'

/** What `compress()` plans. */
export const askStandard = (request: ContextRequest): ContextPlan | Promise<ContextPlan> => compress().assemble(request)
