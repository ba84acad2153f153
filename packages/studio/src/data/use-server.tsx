/** The server in components: what is loaded, what is live. */
import type { Client, ServerMessage } from '@loom-agent/server/client'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createLoader, type Loaded, type Loader } from './loader.ts'
import type { Connection, StudioServer } from './server.ts'
import type { Readable } from './store.ts'

const Served = createContext<StudioServer | undefined>(undefined)

/** Gives the server to everything inside. */
export function ServerProvider({ server, children }: { readonly server: StudioServer; readonly children: ReactNode }): ReactNode {
  return <Served value={server}>{children}</Served>
}

/** The server of the page. */
export function useServer(): StudioServer {
  const server = useContext(Served)
  if (!server) throw new Error('There is no ServerProvider around this component.')
  return server
}

/** A value that changes. */
export const useReadable = <T,>({ get, subscribe }: Readable<T>): T => useSyncExternalStore(subscribe, get)

/** Whether the server answers. */
export const useConnection = (): Connection => useReadable(useServer().connection)

/** What a view loads: `of` names the thing, `version` what of it changes. `undefined` loads nothing. */
export interface Loading<T> {
  readonly of: string
  readonly version?: string | number | undefined
  load(client: Client): Promise<T>
}

const nothing: Loaded<never> = { of: '', data: undefined, error: undefined, isLoading: false }

/** Loads something, and loads it again when its version changes, or when the server can be reached again. */
export function useLoaded<T>(wanted: Loading<T> | undefined): Loaded<T> {
  const { client, returns } = useServer()
  const returned = useReadable(returns)
  const [loaded, setLoaded] = useState<Loaded<T>>(nothing)
  const loader = useRef<Loader<T> | undefined>(undefined)
  const of = wanted?.of
  const version = `${wanted?.version ?? ''} ${returned}`
  const load = useRef(wanted)
  load.current = wanted
  useEffect(() => {
    loader.current = createLoader(setLoaded)
    return () => loader.current?.close()
  }, [])
  useEffect(() => {
    if (of === undefined) return
    const asked = load.current
    loader.current?.want({ of, version, load: () => (asked ? asked.load(client) : Promise.reject(new Error('nothing'))) })
  }, [of, version, client])
  return loaded.of === of ? loaded : { ...nothing, of: of ?? '', isLoading: of !== undefined }
}

/** Calls a listener with what changes in a topic while the component is there. */
export function useTopic(topic: string | undefined, listener: (message: ServerMessage) => void, after?: string): void {
  const { live } = useServer()
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    if (topic === undefined) return
    return live.follow(topic, (message) => latest.current(message), after)
  }, [live, topic, after])
}

/** A number that grows with every change of the threads that are looked at; `isOurs` says which those are. */
export function useChanges(isOurs: (thread: string) => boolean = () => true): number {
  const [count, setCount] = useState(0)
  useTopic('threads', ({ data, event }) => {
    const { thread } = (data as { readonly [event: string]: { readonly thread?: string } })[event] ?? {}
    if (thread !== undefined && isOurs(thread)) setCount((before) => before + 1)
  })
  return count
}

/** The time, again every `every` milliseconds while the component is there. */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
