import { answerParent } from '../child.ts'
import { load, type Round } from '../measure.ts'
import { anyOf } from '../ours.ts'
import { emmettPeer } from '../peers/emmett.ts'
import { openPeerPool } from '../peers/plain-sql.ts'

export type EmmettTurn = { clients: number }

/** By itself, since it changes how `pg` reads numbers for the whole process. */
const [url = '', connections = '', ...users] = process.argv.slice(2)
const pool = await openPeerPool(url, Number(connections))
const emmett = await emmettPeer(url, pool, users)
answerParent(
  ({ clients }: EmmettTurn): Promise<Round> => load(() => emmett.charge(anyOf(users)), { clients }),
  async () => {
    await emmett.close()
    if (!pool.ended) await pool.end()
  },
)
process.send?.('ready')
