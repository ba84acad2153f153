/** The table of routes. Everything that lists routes is made from it: dispatching, OpenAPI, the typed client, the tests of access. */
import type { Route } from '../route/route.ts'
import { agentRoutes } from './agent-routes.ts'
import { answerRoutes } from './answer-routes.ts'
import { breakRoutes } from './break-routes.ts'
import { compareRoutes } from './compare-routes.ts'
import { controlRoutes } from './control-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { forkRoutes } from './fork-routes.ts'
import { hookRoutes } from './hook-routes.ts'
import { metricRoutes } from './metric-routes.ts'
import { payloadRoutes } from './payload-routes.ts'
import { replayRoutes } from './replay-routes.ts'
import { runRoutes } from './run-routes.ts'
import { scheduleRoutes } from './schedule-routes.ts'
import { serverRoutes } from './server-routes.ts'
import { streamRoutes } from './stream-routes.ts'
import { systemRoutes } from './system-routes.ts'
import { threadRoutes } from './thread-routes.ts'
import { transferRoutes } from './transfer-routes.ts'
import { travelRoutes } from './travel-routes.ts'
import { viewRoutes } from './view-routes.ts'

/** All routes. */
export const routes: readonly Route[] = [
  ...serverRoutes,
  ...systemRoutes,
  ...agentRoutes,
  ...runRoutes,
  ...threadRoutes,
  ...controlRoutes,
  ...forkRoutes,
  ...breakRoutes,
  ...answerRoutes,
  ...eventRoutes,
  ...payloadRoutes,
  ...viewRoutes,
  ...travelRoutes,
  ...replayRoutes,
  ...compareRoutes,
  ...transferRoutes,
  ...metricRoutes,
  ...streamRoutes,
  ...scheduleRoutes,
  ...hookRoutes,
]
