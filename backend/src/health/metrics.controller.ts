import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Controller, Get, Header } from '@nestjs/common'
import { Public } from '../platform/http/access.ts'
import { Projectors, type Standing } from '../platform/projections/projections.module.ts'
import { type Metric, toPrometheusText } from './prometheus-text.ts'

/** Enough to see whether it grows; a stranger who asks must not cost much. */
const eventsCounted = 1000
const freshForMs = 1000

/** Numbers for whoever watches the installation, in Prometheus' text format. They tell of no user. */
@Public()
@Controller()
export class MetricsController {
  readonly #eventLoopDelay = monitorEventLoopDelay({ resolution: 10 })
  #asked: { at: number; text: Promise<string> } | undefined

  constructor(private readonly projectors: Projectors) {
    this.#eventLoopDelay.enable()
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    const now = performance.now()
    if (!this.#asked || now - this.#asked.at > freshForMs) this.#asked = { at: now, text: this.#measure() }
    return this.#asked.text
  }

  async #measure(): Promise<string> {
    // Without the database nothing is known of the projections; of the process there is.
    const standing = await this.projectors.standing(eventsCounted).catch(() => [])
    const text = toPrometheusText([...ofProjections(standing), ...this.#ofProcess()])
    this.#eventLoopDelay.reset()
    return text
  }

  // Named as the Prometheus client libraries name them: ready-made dashboards know them.
  #ofProcess(): Metric[] {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const startedAt = (performance.timeOrigin / 1000).toFixed(3)
    return [
      counter('process_cpu_seconds_total', 'CPU time spent, in seconds.', (user + system) / 1e6),
      gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970.', Number(startedAt)),
      gauge('process_resident_memory_bytes', 'Resident memory, in bytes.', rss),
      gauge('nodejs_heap_size_used_bytes', 'Heap in use, in bytes.', heapUsed),
      gauge(
        'nodejs_eventloop_lag_p99_seconds',
        'How late the event loop was, 99th percentile since it was last asked.',
        this.#eventLoopDelay.count > 0 ? this.#eventLoopDelay.percentile(99) / 1e9 : 0,
      ),
    ]
  }
}

function ofProjections(standing: readonly Standing[]): Metric[] {
  const each = (value: (one: Standing) => number) =>
    standing.map((one) => ({ labels: { projection: one.name }, value: value(one) }))
  return [
    {
      name: 'earmark_projection_lag_seconds',
      help: 'Age of the oldest event that the projection has not taken in; 0 where there is none.',
      type: 'gauge',
      samples: each(({ secondsBehind }) => secondsBehind),
    },
    {
      name: 'earmark_projection_events_behind',
      help: `Events that the projection has not taken in; counted up to ${eventsCounted}.`,
      type: 'gauge',
      samples: each(({ eventsBehind }) => eventsBehind),
    },
    {
      name: 'earmark_projection_stopped',
      help: '1 where the projection met an event that it cannot take in.',
      type: 'gauge',
      samples: each(({ failure }) => (failure === undefined ? 0 : 1)),
    },
  ]
}

function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', samples: [{ value }] }
}

function counter(name: string, help: string, value: number): Metric {
  return { name, help, type: 'counter', samples: [{ value }] }
}
