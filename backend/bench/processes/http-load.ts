import { Client } from 'undici'
import { answerParent } from '../child.ts'
import { load, type Round } from '../measure.ts'

export type HttpTurn = { url: string; headers: Record<string, string>; connections: number }

/** Asks by so many kept-alive connections, one request at a time on each. */
answerParent(async ({ url, headers, connections }: HttpTurn): Promise<Round> => {
  const { origin, pathname } = new URL(url)
  const clients = Array.from({ length: connections }, () => new Client(origin))
  const get = async (connection: number) => {
    const { statusCode, body } =
      (await clients[connection]?.request({ method: 'GET', path: pathname, headers })) ?? {}
    const text = await body?.text()
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode ?? '?'}: ${text ?? ''}`)
  }
  const round = await load(get, { clients: connections })
  await Promise.all(clients.map((client) => client.close()))
  return round
})
