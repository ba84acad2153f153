/**
 * What a process uses, sample by sample. How it is measured is a port: each platform has its own way.
 *
 * RESOURCE-1. Nothing is sampled before somebody asks, and how many samples are held is bounded.
 */
import type { Clock } from '@loom-agent/kernel'

/** What a process uses at one moment. A figure that a platform does not have is absent. */
export interface ResourceReading {
  /** Bytes of memory that the process has. */
  readonly memory?: number
  /** Bytes of the heap that are in use. */
  readonly heap?: number
  /** Milliseconds of processor time since the process began. */
  readonly cpuMs?: number
  /** The longest time in milliseconds that the event loop was late since the reading before. */
  readonly delayMs?: number
}

/** A sample. */
export interface ResourceSample extends Omit<ResourceReading, 'cpuMs'> {
  /** When, in milliseconds since 1970. */
  readonly time: number
  /** The share of one processor since the sample before; 2 are two whole processors. */
  readonly cpu?: number
}

/** How a process is watched. */
export interface ResourceMonitorOptions {
  /** Measures what the process uses now. */
  readonly read: () => ResourceReading
  /** The time, and timers. */
  readonly clock: Clock
  /** Milliseconds between two samples; default 5,000. */
  readonly every?: number
  /** Samples that are held; default 720: an hour of them. */
  readonly keep?: number
}

/** Watches what a process uses. */
export interface ResourceMonitor {
  /** The samples so far, the newest last, with one of now. From the first call on a sample is made every so often. */
  samples(): readonly ResourceSample[]
  /** Ends it. */
  close(): void
}

/** Makes a monitor. It begins when it is asked for the first time. */
export function createResourceMonitor({ read, clock, every = 5000, keep = 720 }: ResourceMonitorOptions): ResourceMonitor {
  let samples: ResourceSample[] = []
  let cpu: { readonly time: number; readonly ms: number } | undefined
  let cancel: (() => void) | undefined
  let isClosed = false
  const sample = (): void => {
    const time = clock.now()
    const { cpuMs, ...reading } = read()
    const spent = cpuMs !== undefined && cpu && time > cpu.time ? { cpu: (cpuMs - cpu.ms) / (time - cpu.time) } : {}
    if (cpuMs !== undefined) cpu = { time, ms: cpuMs }
    samples = [...samples.slice(Math.max(0, samples.length + 1 - keep)), { time, ...reading, ...spent }]
  }
  const goOn = (): void => {
    cancel = clock.at(clock.now() + every, () => {
      sample()
      goOn()
    })
  }
  return {
    samples() {
      if (isClosed) return samples
      // Two looks at the same moment are one sample.
      if (samples.at(-1)?.time !== clock.now()) sample()
      if (!cancel) goOn()
      return samples
    },
    close() {
      isClosed = true
      cancel?.()
    },
  }
}
