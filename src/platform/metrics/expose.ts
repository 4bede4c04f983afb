import type { Histogram as Exposed, Registry } from 'prom-client'
import type { SystemContext } from '#platform/context.ts'
import type { Histogram } from './histogram.ts'
import type { Metric } from './metric.ts'
import type { Sample } from './sample.ts'

type Client = typeof import('prom-client')

/**
 * All metrics in the text format of Prometheus.
 *
 * @source Prometheus documentation, "Exposition formats", "Text-based format"
 */
export async function expose(
  server: SystemContext,
  metrics: readonly Metric[],
): Promise<{ text: string; contentType: string }> {
  // Loading takes a while, so servers without monitoring should not do it.
  const { default: client } = await import('prom-client')
  const registry = new client.Registry()
  for (const metric of metrics) register(client, registry, server, metric)
  return { text: await registry.metrics(), contentType: registry.contentType }
}

function register(client: Client, registry: Registry, server: SystemContext, metric: Metric): void {
  const { name, help, type, labels = [] } = metric
  const settings = { name, help, labelNames: [...labels], registers: [registry] }
  if (type === 'histogram') {
    registry.registerMetric(finished(name, help, metric.read(server).flatMap(lines(name))))
    return
  }
  const read = metric.read(server)
  const samples: readonly Sample[] = typeof read === 'number' ? [{ labels: {}, value: read }] : read
  const made = type === 'gauge' ? new client.Gauge(settings) : new client.Counter(settings)
  for (const { labels, value } of samples) made.inc(labels, value)
}

interface Line extends Sample {
  readonly metricName: string
}

/** The lines of a histogram: each of its ranges includes the smaller ones. */
const lines =
  (name: string) =>
  ({ labels, value: { bounds, counts, sum } }: Sample<Histogram>): Line[] => {
    let count = 0
    const ranges = counts.map((inRange, i) => {
      count += inRange
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: bounds[i] ?? '+Inf' },
        value: count,
      }
    })
    return [
      ...ranges,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }

/** A histogram whose values are known; those of the library only take one value at a time. */
function finished(name: string, help: string, values: readonly Line[]): Exposed {
  const get = async () => ({ name, help, type: 'histogram', aggregator: 'sum', values })
  return { name, get } as unknown as Exposed
}
