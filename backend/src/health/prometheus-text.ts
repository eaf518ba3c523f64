export type Metric = {
  name: string
  help: string
  type: 'gauge' | 'counter'
  samples: { labels?: Record<string, string>; value: number }[]
}

/** Source: Prometheus' text exposition format 0.0.4. Labels are names of ours: nothing in them needs escaping. */
export function toPrometheusText(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ labels = {}, value }) => {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
      return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
    }),
  ])
  return `${lines.join('\n')}\n`
}
