/** Routes by which whole threads leave a journal and come in. */
import { isLoomError, LoomError } from '@loom-agent/kernel'
import { object, text } from '../route/described.ts'
import { readLines } from '../route/read-request.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { findThread } from '../service/find-thread.ts'
import type { Transfer } from '../service/service.ts'
import { rowOf, type ThreadRow, threadRow } from './schemas.ts'

function transferOf({ service }: Pick<Call, 'service'>): Transfer {
  if (service.transfer) return service.transfer
  const message = 'This server neither exports nor imports whole threads. Give it transfer: { exportThread, importThread } of @loom-agent/journals.'
  throw new LoomError('LOOM_ROUTE_NOT_FOUND', message, { context: { status: 404 } })
}

/** Lines as a body that is made as it is read. */
function linesBody(lines: AsyncIterable<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  const reading = lines[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reading.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(`${value}\n`))
      },
      async cancel() {
        await reading.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

const exportWhole = route({
  name: 'exportWholeThread',
  method: 'GET',
  path: '/threads/{thread}/lines',
  scope: 'read',
  summary: 'A thread with all that it needs, as lines that can be imported: its children, and the past of a fork.',
  reply: { type: 'application/octet-stream' },
  async handle(call) {
    const { head } = await findThread(call, call.params.thread)
    const { exportThread } = transferOf(call)
    // The past of a fork comes with it, and the threads that it is of are those of others, perhaps.
    for (let cut = head.forkOf; cut; ) cut = (await findThread(call, cut.thread)).head.forkOf
    const headers = { 'content-type': 'application/x-ndjson', 'content-disposition': 'attachment', 'cache-control': 'no-store' }
    return new Response(linesBody(exportThread(call.service.journal, head.thread)), { headers })
  },
})

/** Lines that are damaged, or do not fit what is here, are the sender's, whatever their code says of a journal. */
function refuse(error: unknown): never {
  const isOfLines = isLoomError(error) && (error.code === 'LOOM_JOURNAL_DAMAGED' || error.code === 'LOOM_JOURNAL_UNUSABLE')
  if (!isOfLines) throw error
  throw new LoomError(error.code, error.message, { cause: error, context: { ...error.context, status: 422 } })
}

const importThread = route({
  name: 'importThread',
  method: 'POST',
  path: '/imports',
  scope: 'admin',
  summary: 'Stores a thread that was exported as lines. It can be read and removed, and runs nothing until it is adopted.',
  takes: 'lines',
  reply: { schema: object({ thread: text('The id of the thread.'), row: threadRow }) },
  async handle(call): Promise<{ readonly thread: string; readonly row: ThreadRow }> {
    const transfer = transferOf(call)
    const { identity, service, request } = call
    if (identity.threads) {
      const message = `${identity.name} may use some threads only, and an import may bring threads of any name.`
      throw new LoomError('LOOM_ACCESS_DENIED', message, { context: { status: 403 } })
    }
    const head = await transfer.importThread(service.journal, readLines(request, service.longestUpload)).catch(refuse)
    return { thread: head.thread, row: rowOf(head) }
  },
})

/** Whole threads. */
export const transferRoutes: readonly Route[] = [exportWhole, importThread]
