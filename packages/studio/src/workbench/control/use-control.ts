/** Doing something with a thread, and what came of it. */
import type { Client } from '@loom-agent/server/client'
import { useRef, useState } from 'react'
import { useServer } from '../../data/use-server.tsx'
import type { Control } from './controls-for.ts'

/** What is done with a thread. `id` names a start, so that one that is sent again starts no second run. */
export interface Doing {
  readonly control: Control
  readonly thread: string
  readonly agent: string | undefined
  readonly message: string
  readonly id: string
}

/** Sends what is done. */
export async function sendControl(
  client: Pick<Client, 'steerThread' | 'startRun' | 'pauseThread' | 'resumeThread' | 'stopThread'>,
  { control, thread, agent = '', message, id }: Doing,
): Promise<void> {
  if (control === 'steer') await client.steerThread({ thread }, { text: message })
  else if (control === 'say') await client.startRun({ agent }, { input: message, thread, id })
  else if (control === 'pause') await client.pauseThread({ thread })
  else if (control === 'resume') await client.resumeThread({ thread })
  else await client.stopThread({ thread }, {})
}

/** How the last of it went. */
export type Done = { readonly control: Control } | { readonly error: unknown }

/** What is done on this page, one at a time. */
export interface Controlling {
  readonly isBusy: boolean
  readonly last: Done | undefined
  /** Does something; `true` when it was done. */
  send(doing: Omit<Doing, 'id'>): Promise<boolean>
}

/** Does what somebody asks for. */
export function useControl(): Controlling {
  const { client } = useServer()
  const [isBusy, setIsBusy] = useState(false)
  const [last, setLast] = useState<Done>()
  // The same message that failed to be sent is the same start.
  const id = useRef(crypto.randomUUID())
  const send = async (doing: Omit<Doing, 'id'>): Promise<boolean> => {
    if (isBusy) return false
    setIsBusy(true)
    try {
      await sendControl(client, { ...doing, id: `${id.current} ${doing.message}`.slice(0, 200) })
      id.current = crypto.randomUUID()
      setLast({ control: doing.control })
      return true
    } catch (error) {
      setLast({ error })
      return false
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, last, send }
}
