import { type Agent, isSignal } from 'loom-agent'

/** Starts a run. Said again with the same id, it starts no second one. */
export async function post(talker: Agent, thread: string, request: Request): Promise<Response> {
  const { text, id } = (await request.json()) as { text: string; id: string }
  const events = talker.start(text, { thread, id }).events()
  // The first event is durable: from now on the thread can be watched.
  await events.next()
  await events.return?.()
  return new Response(null, { status: 202 })
}

/** The events of a thread, from the one after the last that the browser has. */
export async function get(talker: Agent, thread: string, request: Request): Promise<Response> {
  if (!(await talker.journal.head(thread))) return new Response(null, { status: 404 })
  const last = Number(request.headers.get('last-event-id')) || 0
  const events = talker.watch(thread, { from: last + 1, until: 'rest' })
  const lines = new ReadableStream<string>({
    async pull(controller) {
      const { done, value: event } = await events.next()
      if (done) return controller.close()
      const id = isSignal(event) ? '' : `id: ${event.seq}\n`
      controller.enqueue(`${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    },
    cancel: () => void events.return?.(),
  })
  return new Response(lines.pipeThrough(new TextEncoderStream()), { headers: { 'content-type': 'text/event-stream' } })
}
