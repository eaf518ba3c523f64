import { answerParent } from '../child.ts'
import { load, type Round } from '../measure.ts'
import { chargeMix, openOurs } from '../ours.ts'

export type ReplicaTurn = { clients: number; users: string[] }

const [url = ''] = process.argv.slice(2)
const ours = openOurs(url)

answerParent(
  async ({ clients, users }: ReplicaTurn): Promise<Round> => {
    const charge = chargeMix(users)
    const round = await load(() => charge(ours.ledger), { clients })
    await ours.drain()
    return round
  },
  () => ours.close(),
)
