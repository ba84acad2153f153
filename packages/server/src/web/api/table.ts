/** The table of routes. Everything that lists routes is made from it: dispatching, OpenAPI, the typed client, the tests of access. */
import type { Route } from '../route/route.ts'
import { agentRoutes } from './agent-routes.ts'
import { answerRoutes } from './answer-routes.ts'
import { controlRoutes } from './control-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { metricRoutes } from './metric-routes.ts'
import { runRoutes } from './run-routes.ts'
import { scheduleRoutes } from './schedule-routes.ts'
import { serverRoutes } from './server-routes.ts'
import { streamRoutes } from './stream-routes.ts'
import { threadRoutes } from './thread-routes.ts'
import { travelRoutes } from './travel-routes.ts'
import { viewRoutes } from './view-routes.ts'

/** All routes. */
export const routes: readonly Route[] = [
  ...serverRoutes,
  ...agentRoutes,
  ...runRoutes,
  ...threadRoutes,
  ...controlRoutes,
  ...answerRoutes,
  ...eventRoutes,
  ...viewRoutes,
  ...travelRoutes,
  ...metricRoutes,
  ...streamRoutes,
  ...scheduleRoutes,
]
