/** A route of a server that runs an agent. */
import { main } from '../../../bundle-entry.js'

export const dynamic = 'force-dynamic'
export const GET = async () => Response.json(await main())
