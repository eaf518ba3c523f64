import { answerParent } from '../child.ts'
import { load, type Round } from '../measure.ts'
import { chargeMix, openOurs } from '../ours.ts'

export type ReplicaTurn = { clients: number; users: string[] }

const [url = ''] = process.argv.slice(2)

// Opened for its turn alone: the projector of a replica that waits would work for the one that is measured.
answerParent(async ({ clients, users }: ReplicaTurn): Promise<Round> => {
  const ours = openOurs(url)
  const charge = chargeMix(users)
  const round = await load(() => charge(ours.ledger), { clients })
  await ours.drain()
  await ours.close()
  return round
})
