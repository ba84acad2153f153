/** What a process of Node uses. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '@loom-agent/agent'
import { createResourceMonitor, type ResourceMonitor } from '@loom-agent/telemetry'

/** Nanoseconds in a millisecond. */
const inMs = 1e6

/** Watches this process. Nothing is measured before somebody asks. */
export function watchProcess(): ResourceMonitor {
  let delay: ReturnType<typeof monitorEventLoopDelay> | undefined
  const read = () => {
    const { rss, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const isFirst = delay === undefined
    delay ??= monitorEventLoopDelay()
    const delayMs = isFirst ? {} : { delayMs: delay.max / inMs }
    delay.reset()
    delay.enable()
    return { memory: rss, heap: heapUsed, cpuMs: (user + system) / 1000, ...delayMs }
  }
  const monitor = createResourceMonitor({ read, clock: systemClock })
  return {
    samples: () => monitor.samples(),
    close() {
      monitor.close()
      delay?.disable()
    },
  }
}
