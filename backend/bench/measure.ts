/** What one turn of one contender came to. */
export type Round = { perSecond: number; p99Ms: number }

/** Something that is measured, a turn at a time. */
export type Contender = {
  name: string
  turn: () => Promise<Round>
}

export type Rounds = Record<string, Round[]>

const rounds = 5
export const turnSeconds = 2
/** The start of each turn is not counted: the one before may have left pages to write and buffers to fill. */
const rampSeconds = 0.3

/** Calls `operation` from so many callers at once, each again as soon as it is answered. */
export async function load(
  operation: (client: number) => Promise<unknown>,
  { clients }: { clients: number },
): Promise<Round> {
  const latencies: number[] = []
  const countFrom = performance.now() + rampSeconds * 1000
  const endsAt = countFrom + turnSeconds * 1000
  const callers = Array.from({ length: clients }, async (_, client) => {
    for (let begun = performance.now(); begun < endsAt; begun = performance.now()) {
      await operation(client)
      const ended = performance.now()
      if (ended >= countFrom && ended < endsAt) latencies.push(ended - begun)
    }
  })
  await Promise.all(callers)
  return {
    perSecond: latencies.length / turnSeconds,
    p99Ms: quantile(latencies, 0.99),
  }
}

/** Each contender in its turn, again and again: A B C A B C ... What disturbs the machine for long disturbs all of them. */
export async function inTurn(contenders: readonly Contender[]): Promise<Rounds> {
  for (const { turn } of contenders) await turn()
  const results: Rounds = {}
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, turn } of contenders) (results[name] ??= []).push(await turn())
  }
  return results
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
